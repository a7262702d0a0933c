import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeLayers } from './encode-layers.ts'
import { bytesOf, type Encodable } from './encoded-size.ts'
import { maxTileBytes, maxTileFeatures, TileBudget } from './tile-budget.ts'

const position = fc.tuple(fc.integer({ min: -128, max: 4_224 }), fc.integer({ min: -128, max: 4_224 }))
const ring = fc
  .array(position, { minLength: 4, maxLength: 200 })
  .map((points) => [...points, points[0] ?? [0, 0]])
const id = fc.string({ unit: fc.constantFrom('a', '7', '-'), minLength: 1, maxLength: 120 })
const attributes = fc.record(
  {
    shape: fc.constantFrom('point', 'line', 'polygon'),
    type: fc.constantFrom('fire', 'communication'),
    status: fc.constantFrom('operational', 'unresolved'),
    severity: fc.constantFrom('high', 'low'),
  },
  { requiredKeys: ['shape'] },
)
const encodable: fc.Arbitrary<Encodable> = fc.oneof(
  fc.record({ type: fc.constant(1 as const), geometry: fc.tuple(position), id, attributes }),
  fc.record({
    type: fc.constant(2 as const),
    geometry: fc.array(ring, { minLength: 1, maxLength: 3 }),
    id,
    attributes,
  }),
  fc.record({
    type: fc.constant(3 as const),
    geometry: fc.array(ring, { minLength: 1, maxLength: 3 }),
    id,
    attributes,
  }),
) as fc.Arbitrary<Encodable>

const encode = (features: Encodable[]) => encodeLayers({ assets: features }).length

it('never underestimates the size of a feature, nor overestimates it by much', () => {
  fc.assert(
    fc.property(
      fc.array(encodable, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 0, max: 300 }),
      (features, more) => {
        const others = Array.from({ length: more }, (_, index): Encodable => {
          return { type: 1, geometry: [[index, index]], id: `${index}`, attributes: { shape: 'point' } }
        })
        const real = encode([...others, ...features]) - encode(others)
        const estimate = features.reduce((sum, feature) => sum + bytesOf(feature), 0)
        expect(real).toBeLessThanOrEqual(estimate + 200)
        expect(estimate).toBeLessThan(real * 1.6 + 200)
      },
    ),
    { numRuns: 200 },
  )
})

it('a budget ends with its bytes or its features, and can be refunded', () => {
  const bytes = new TileBudget()
  expect(bytes.take(maxTileBytes)).toBe(false)
  expect(bytes.take(bytes.leftBytes)).toBe(true)
  expect(bytes.take(1)).toBe(false)
  bytes.giveBack(10)
  expect([bytes.take(11), bytes.take(10), bytes.take(1)]).toEqual([false, true, false])
  const features = new TileBudget()
  for (let feature = 0; feature < maxTileFeatures; feature++) expect(features.take(0)).toBe(true)
  expect(features.take(0)).toBe(false)
})
