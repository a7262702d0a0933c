import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mortonRangeOfCell, sharedDepth } from './morton.ts'
import { type RankedFeature, rankFeatures } from './rank-features.ts'
import { alwaysHidden, precedes, priorityOf } from './representatives.ts'

// A second, slow implementation of the rule, cell by cell.

const deepest = 17

function slowRank(feature: RankedFeature, group: readonly RankedFeature[]): number {
  const candidateOf = (one: RankedFeature) => ({ id: one.id, priority: priorityOf(one) })
  for (let zoom = 0; zoom <= deepest; zoom++) {
    const { first, end } = mortonRangeOfCell(feature.morton, zoom + 6)
    const others = group.filter(({ morton, id }) => morton >= first && morton < end && id !== feature.id)
    if (others.every((other) => precedes(candidateOf(feature), candidateOf(other)))) return zoom
  }
  return alwaysHidden
}

const code = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 52 - 1 }),
  fc.integer({ min: 0, max: 300 }),
  fc.tuple(fc.constantFrom(7, 2 ** 40, 2 ** 51), fc.integer({ min: 0, max: 26 })).map(([base, bits]) => {
    return base + 4 ** bits < 2 ** 52 ? base + 4 ** bits : base
  }),
)
const features = fc
  .array(
    fc.record({
      kind: fc.constantFrom('incident', 'asset', 'parcel'),
      shape: fc.constantFrom('point', 'polygon'),
      type: fc.constantFrom(null, 'fire', 'water'),
      date: fc.constantFrom(null, 0, 86_400_000, -5),
      size: fc.constantFrom(0, 1, 2.5),
      morton: code,
    }),
    { maxLength: 60 },
  )
  .map((made) => made.map((one, index): RankedFeature => ({ ...one, id: `f${index}` })))

describe('ranks', () => {
  it('are the first zoom at which a feature ranks first in its cell', () => {
    fc.assert(
      fc.property(features, (all) => {
        const ranks = rankFeatures(all)
        for (const [index, feature] of all.entries()) {
          const group = all.filter(({ kind, shape }) => kind === feature.kind && shape === feature.shape)
          const sameType = group.filter(({ type }) => type === feature.type)
          expect(ranks[index]).toEqual({
            min_zoom: slowRank(feature, group),
            type_min_zoom: feature.type === null ? null : slowRank(feature, sameType),
          })
        }
      }),
      { numRuns: 400 },
    )
  })

  it('are 0 without neighbors, and never for duplicates at the same place', () => {
    const one = (id: string, date: number | null): RankedFeature => {
      return { id, kind: 'incident', shape: 'point', type: null, date, size: 0, morton: 12_345 }
    }
    expect(rankFeatures([one('a', 1)])).toEqual([{ min_zoom: 0, type_min_zoom: null }])
    const ranks = rankFeatures([one('b', 1), one('c', null), one('a', 1), one('d', 2)])
    expect(ranks.map(({ min_zoom }) => min_zoom)).toEqual([99, 0, 99, 99])
  })
})

describe('precedes', () => {
  const incident = (date: number | null) => priorityOf({ kind: 'incident', date, size: 5 })
  const parcel = (size: number) => priorityOf({ kind: 'parcel', date: null, size })

  it.each([
    ['a newer incident before an older one', incident(2), incident(1)],
    ['an incident without a date before any other', incident(null), incident(9e15)],
    ['a larger parcel before a smaller one', parcel(3), parcel(2)],
  ])('%s', (_, first, second) => {
    expect(precedes({ id: 'z', priority: first }, { id: 'a', priority: second })).toBe(true)
    expect(precedes({ id: 'a', priority: second }, { id: 'z', priority: first })).toBe(false)
  })

  it('breaks ties by id', () => {
    expect(precedes({ id: 'a', priority: 1 }, { id: 'b', priority: 1 })).toBe(true)
    expect(precedes({ id: 'b', priority: 1 }, { id: 'a', priority: 1 })).toBe(false)
  })
})

describe('sharedDepth', () => {
  it('is the depth of the smallest cell with both places', () => {
    fc.assert(
      fc.property(code, code, (one, other) => {
        let depth = 0
        while (depth < 26) {
          const { first, end } = mortonRangeOfCell(one, depth + 1)
          if (other < first || other >= end) break
          depth++
        }
        expect(sharedDepth(one, other)).toBe(depth)
      }),
    )
  })
})
