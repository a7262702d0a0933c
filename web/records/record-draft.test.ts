import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { applyChange } from '#domain/features/change-feature.ts'
import type { FeatureDetail, NewFeature } from '#domain/features/feature.schema.ts'
import { aGeneralFeature, anAsset, anIncident, aParcel } from '#test/feature-builders.ts'
import {
  changedFields,
  type Draft,
  formSections,
  newDraft,
  patchOf,
  problemsOf,
  rebase,
  settle,
  valuesOf,
} from './record-draft.ts'

const detailOf = (feature: NewFeature, version = 1) =>
  ({ ...feature, version, referenceNames: {} }) as unknown as FeatureDetail

const lot = detailOf(
  aParcel({
    name: 'Lot 7',
    owner: 'Ann Zabriskie',
    area: 12.5,
    buildings: 2,
    zoning: { type: 'R-1', restrictions: null },
  }),
)
const fire = detailOf(
  anIncident({ title: 'Smoke', date: '2026-01-15T12:00:37Z', resolved: false, resolvedDate: null }),
)

const changed = (draft: Draft) => changedFields(draft).map(({ path }) => path)
const typed = (base: FeatureDetail, values: Record<string, string>): Draft => {
  const draft = newDraft(base)
  return { ...draft, values: { ...draft.values, ...values } }
}

afterEach(() => vi.unstubAllEnvs())

describe('a draft', () => {
  it('stands under the headings of the definition', () => {
    const headings = ({ base, values }: Draft) =>
      formSections(base, values).map(({ heading, fields }) => [heading, ...fields.map(({ path }) => path)])
    expect(headings(newDraft(lot))).toEqual([
      [null, 'name', 'description'],
      ['Ownership', 'owner', 'purchaseDate'],
      ['Land', 'area', 'buildings'],
      ['Zoning', 'zoning.type', 'zoning.restrictions'],
      ['Taxes', 'taxInfo.annualAmount', 'taxInfo.lastPaid'],
    ])
    const course = ['Course', 'date', 'resolvedDate', 'reportedBy']
    expect(headings(typed(fire, { resolved: 'true' }))).toContainEqual(course)
    expect(headings(newDraft(fire))).toContainEqual(course.filter((path) => path !== 'resolvedDate'))
  })

  it('says what has changed, and nothing that means the same', () => {
    const draft = typed(lot, {
      owner: 'Bob Quackenbush',
      area: '12.50',
      buildings: '',
      'zoning.restrictions': 'No fences',
      'taxInfo.annualAmount': '1,250.5',
    })
    expect(changed(draft)).toEqual(['owner', 'buildings', 'zoning.restrictions', 'taxInfo.annualAmount'])
    expect(patchOf(draft)).toEqual({
      owner: 'Bob Quackenbush',
      buildings: null,
      zoning: { restrictions: 'No fences' },
      taxInfo: { annualAmount: 1250.5 },
    })
    expect(changed(typed(lot, { name: ' Lot 7 ' }))).toEqual([])
    // Its seconds do not fit into the control.
    expect(changed(newDraft(fire))).toEqual([])
  })

  it('has an instant in the time of the reader, and sends it in UTC', () => {
    vi.stubEnv('TZ', 'America/Phoenix')
    const date = '2026-01-16T15:30:00.000Z'
    expect(patchOf(typed(fire, { date: '2026-01-16T08:30' }))).toEqual({ date })
    expect(newDraft(detailOf(anIncident({ date }))).values.date).toBe('2026-01-16T08:30')
  })

  it('leaves out what cannot be seen', () => {
    const done = detailOf(anIncident({ resolved: true, resolvedDate: '2026-01-16T10:00:00Z' }))
    expect(patchOf(typed(done, { resolved: 'false', resolvedDate: '2026-01-17T10:00' }))).toEqual({
      resolved: false,
    })
  })

  it('finds what no field can hold', () => {
    const wrong = { name: ' ', area: '-1', buildings: '1.5', 'taxInfo.annualAmount': '1,5' }
    expect(Object.fromEntries(problemsOf(typed(lot, wrong)))).toEqual({
      name: 'Must not be empty',
      area: 'Must be 0 or more',
      buildings: 'Must be a whole number of 0 or more',
      'taxInfo.annualAmount': 'Must be a number, such as 12.5',
    })
    const longName = problemsOf(typed(lot, { name: 'x'.repeat(301) })).get('name')
    expect(longName).toBe('Must have no more than 300 characters')
  })
})

describe('two drafts of one record', () => {
  const theirs = detailOf(
    aParcel({
      name: 'Lot 7b',
      owner: 'Carla Quist',
      area: 12.5,
      buildings: 4,
      zoning: { type: 'R-2', restrictions: null },
    }),
    2,
  )

  it('are merged by field: told what only the other changed, asked what both did', () => {
    const mine = typed(lot, { owner: 'Bob Quackenbush', buildings: '4', 'zoning.restrictions': 'No fences' })
    const merged = rebase(mine, theirs)
    expect(merged.asked).toEqual(['owner'])
    expect(merged.told).toEqual(['name', 'zoning.type'])
    expect(patchOf(merged)).toEqual({ owner: 'Bob Quackenbush', zoning: { restrictions: 'No fences' } })
    expect(patchOf(settle(merged, 'owner', 'mine'))).toEqual(patchOf(merged))
    const settled = settle(merged, 'owner', 'theirs')
    expect(settled.asked).toEqual([])
    expect(patchOf(settled)).toEqual({ zoning: { restrictions: 'No fences' } })
    // Still open when a third change comes.
    const again = rebase(merged, { ...theirs, version: 3, description: 'New' } as FeatureDetail)
    expect(again).toMatchObject({ asked: ['owner'], told: ['name', 'description', 'zoning.type'] })
  })

  const few = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: null })
  const arbitraryLot = fc
    .record({
      name: fc.constantFrom('Lot 7', 'Lot 7b', 'Lot 8'),
      owner: few('Ann', 'Bob'),
      area: fc.double({ min: 0, max: 1e6, noNaN: true }),
      buildings: fc.option(fc.nat({ max: 3 })),
      purchaseDate: few('2020-02-29', '2021-01-01'),
      zoning: fc.option(
        fc.record({ type: fc.constantFrom('R-1', 'R-2'), restrictions: few('No fences', 'a\nb') }),
      ),
      taxInfo: fc.option(
        fc.record({
          annualAmount: fc.option(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { nil: null }),
          lastPaid: few('2025-12-31'),
        }),
      ),
    })
    .map((fields) => detailOf(aParcel(fields)))
  const other = fc.oneof(
    arbitraryLot,
    fc
      .constantFrom(
        aGeneralFeature({ type: 'water', date: '2026-02-03T04:05:06.789Z' }),
        anAsset({ installDate: '2001-02-03' }),
      )
      .map((feature) => detailOf(feature)),
  )

  it('change nothing by themselves', () => {
    fc.assert(
      fc.property(other, (base) => {
        expect(changed(newDraft(base))).toEqual([])
        expect(patchOf(newDraft(base))).toEqual({})
      }),
    )
  })

  it('send just what makes the one record the other', () => {
    fc.assert(
      fc.property(arbitraryLot, arbitraryLot, (base, wanted) => {
        const patch = patchOf({ base, values: valuesOf(wanted) })
        const { version, referenceNames, ...present } = base
        const applied = applyChange(present as unknown as NewFeature, patch, new Date())
        if ('faults' in applied) throw new Error(JSON.stringify(applied.faults))
        expect(valuesOf(detailOf(applied.feature))).toEqual(valuesOf(wanted))
      }),
    )
  })

  it('merge to mine where I changed it, else to theirs, and ask where all three differ', () => {
    fc.assert(
      fc.property(arbitraryLot, arbitraryLot, arbitraryLot, (base, mine, present) => {
        const merged = rebase({ ...newDraft(base), values: valuesOf(mine) }, present)
        const [was, my, their] = [valuesOf(base), valuesOf(mine), valuesOf(present)]
        for (const path of Object.keys(was)) {
          expect(merged.values[path]).toBe(my[path] === was[path] ? their[path] : my[path])
          const differ = my[path] !== was[path] && their[path] !== was[path] && my[path] !== their[path]
          expect(merged.asked.includes(path)).toBe(differ)
          expect(merged.told.includes(path)).toBe(my[path] === was[path] && their[path] !== was[path])
        }
        expect(merged.base).toBe(present)
      }),
    )
  })
})
