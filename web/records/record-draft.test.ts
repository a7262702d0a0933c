import fc from 'fast-check'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { applyChange, completeFeature } from '#domain/features/change-feature.ts'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import type { FeatureDetail, NewFeature } from '#domain/features/feature.schema.ts'
import { aGeneralFeature, anAsset, anIncident, aParcel, point } from '#test/databases/feature-builders.ts'
import { instantText, localText, setTimeZone } from '#web/ui/time-zone.ts'
import {
  changesOf,
  type Draft,
  draftOfNew,
  formSections,
  geometryOf,
  newDraft,
  patchOf,
  problemsOf,
  type RecordBase,
  rebase,
  settle,
  titleOf,
  valuesOf,
  withTypedPlace,
  withValue,
} from './record-draft.ts'

const circumstances = () => ({ now: new Date(), customFields: noCustomFields })
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

const changed = (draft: Draft) => changesOf(draft).map(({ path }) => path)
const typed = (base: RecordBase, values: Record<string, string>): Draft => {
  const draft = newDraft(base, noCustomFields)
  return { ...draft, values: { ...draft.values, ...values } }
}

afterEach(() => vi.unstubAllEnvs())

describe('a draft', () => {
  it('has the sections of the definition', () => {
    const headings = ({ base, values }: Draft) =>
      formSections({ base, customFields: noCustomFields, values }).map(({ heading, fields }) => [
        heading,
        ...fields.map(({ path }) => path),
      ])
    expect(headings(newDraft(lot, noCustomFields))).toEqual([
      [null, 'name', 'description'],
      ['Ownership', 'owner', 'purchaseDate'],
      ['Land', 'area', 'buildings'],
      ['Zoning', 'zoning.type', 'zoning.restrictions'],
      ['Taxes', 'taxInfo.annualAmount', 'taxInfo.lastPaid'],
    ])
    const course = ['Timeline', 'date', 'resolvedDate', 'reportedBy']
    expect(headings(typed(fire, { resolved: 'true' }))).toContainEqual(course)
    expect(headings(newDraft(fire, noCustomFields))).toContainEqual(
      course.filter((path) => path !== 'resolvedDate'),
    )
  })

  it('reports changed values, but not other texts of the same value', () => {
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
    // The control has no seconds.
    expect(changed(newDraft(fire, noCustomFields))).toEqual([])
  })

  it('means the same in every time zone', () => {
    const date = '2026-01-16T15:30:29.000Z'
    setTimeZone('UTC')
    const draft = typed(detailOf(anIncident({ date })), { title: 'Smoke' })
    const moved = typed(fire, { date: instantText('2026-01-16T08:30') })
    onTestFinished(() => setTimeZone(undefined))
    for (const zone of ['America/Phoenix', 'Asia/Kathmandu']) {
      setTimeZone(zone)
      expect(patchOf(draft)).toEqual({ title: 'Smoke' })
      expect(patchOf(moved)).toEqual({ date: '2026-01-16T08:30:00.000Z' })
    }
    expect(localText(date)).toBe('2026-01-16T21:15')
  })

  it('leaves out hidden fields', () => {
    const done = detailOf(anIncident({ resolved: true, resolvedDate: '2026-01-16T10:00:00Z' }))
    expect(patchOf(typed(done, { resolved: 'false', resolvedDate: '2026-01-17T10:00' }))).toEqual({
      resolved: false,
    })
  })

  it('proposes the first due day of a plan that has none', () => {
    vi.useFakeTimers({ now: new Date('2026-11-28T12:00:00Z'), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    setTimeZone('UTC')
    const [every, first] = ['maintenancePlan.everyMonths', 'maintenancePlan.firstDue']
    const bare = newDraft(detailOf(anAsset({ installDate: null })), noCustomFields)
    const type = (draft: typeof bare, text: string) => withValue(draft, every, text)
    const yearly = type(type(bare, '1'), '12')
    expect(yearly.values[first]).toBe('2027-11-28')
    expect(type(yearly, '').values[first]).toBe('')
    const chosen = withValue(yearly, first, '2027-01-15')
    expect(type(chosen, '6').values[first]).toBe('2027-01-15')
    const installed = newDraft(detailOf(anAsset({ installDate: '2020-01-01' })), noCustomFields)
    expect(type(installed, '12').values[first] ?? '').toBe('')
  })

  it('reports invalid values', () => {
    const wrong = {
      name: ' ',
      purchaseDate: 'incomplete',
      area: '-1',
      buildings: '1.5',
      'taxInfo.annualAmount': '1,5',
    }
    expect(Object.fromEntries(problemsOf(typed(lot, wrong)))).toEqual({
      name: 'Must not be empty',
      purchaseDate: 'Must be a complete date',
      area: 'Must be 0 or more',
      buildings: 'Must be a whole number of 0 or more',
      'taxInfo.annualAmount': 'Must be a number, such as 12.5',
    })
    const longName = problemsOf(typed(lot, { name: 'x'.repeat(301) })).get('name')
    expect(longName).toBe('Must be 300 characters or less')
  })
})

describe('a place', () => {
  const well = detailOf(anAsset({ name: 'Well', geometry: point(-111.1234567891, 34.0512345678) }))

  it('keeps every digit until it is edited', () => {
    const draft = newDraft(well, noCustomFields)
    expect(changed(withTypedPlace(draft, ' 34.0512346, -111.1234568 '))).toEqual([])
    const moved = withTypedPlace(draft, '34.05, -111.12')
    expect(changed(moved)).toEqual(['geometry'])
    expect(patchOf(moved)).toEqual({ geometry: point(-111.12, 34.05) })
    // Incomplete coordinates keep the last valid place.
    const half = withTypedPlace(moved, '34.05, -11x')
    expect(problemsOf(half).get('geometry')).toMatch(/^Must be a latitude and longitude/)
    expect(geometryOf(half)).toEqual(point(-111.12, 34.05))
    expect(problemsOf(withTypedPlace(draft, '')).size).toBe(0)
  })

  it('is merged like a field', () => {
    const mine: Draft = { ...newDraft(well, noCustomFields), geometry: point(-111, 34) }
    const elsewhere = { ...well, version: 2, geometry: point(-110, 34) } as FeatureDetail
    const merged = rebase(mine, elsewhere)
    expect(merged).toMatchObject({ conflicts: ['geometry'], updated: [] })
    expect(patchOf(settle(merged, 'geometry', 'mine'))).toEqual({ geometry: point(-111, 34) })
    expect(changed(settle(merged, 'geometry', 'theirs'))).toEqual([])
    expect(rebase(newDraft(well, noCustomFields), elsewhere)).toMatchObject({
      conflicts: [],
      updated: ['geometry'],
      geometry: null,
    })
    const same = { ...well, version: 2, geometry: point(-111, 34) } as FeatureDetail
    expect(rebase(mine, same)).toMatchObject({ conflicts: [], updated: [], geometry: null })
  })
})

describe('a new record', () => {
  const start = { kind: 'asset', geometry: point() } as const

  it('starts with initial values, and requires a name and a place', () => {
    const draft = draftOfNew('oak-hills', 'a1', { kind: 'asset' }, noCustomFields)
    expect(Object.fromEntries(problemsOf(draft))).toEqual({
      name: 'Must not be empty',
      geometry: 'Add a location',
    })
    expect(draft.values.status).toBe('operational')
    expect(draft.base.shape).toBe('point')
    expect(changed(draft)).toEqual([])
    expect(titleOf(draft)).toBe('New asset')
    expect(titleOf(typed(draft.base, { name: ' Culvert ' }))).toBe('Culvert')
    expect(draftOfNew('oak-hills', 'p1', { kind: 'parcel' }, noCustomFields).base.shape).toBe('polygon')
  })

  it('is complete with its patch', () => {
    const draft = draftOfNew(
      'oak-hills',
      'a1',
      { ...start, name: 'Culvert', description: 'Two feet' },
      noCustomFields,
    )
    const { id, kind, mapId } = draft.base
    const made = completeFeature({ ...patchOf(draft), id, kind: kind as 'asset', mapId }, circumstances())
    expect(made).toMatchObject({
      feature: {
        id: 'a1',
        name: 'Culvert',
        description: 'Two feet',
        geometry: point(),
        status: 'operational',
      },
    })
  })

  it('copies the values of a duplicated record, but not its identity', () => {
    const like = detailOf(
      aParcel({
        name: 'Lot 7',
        owner: 'Ann Zabriskie',
        area: 12.5,
        zoning: { type: 'R-1', restrictions: null },
      }),
    )
    const { values, geometry } = draftOfNew('oak-hills', 'p9', { kind: 'parcel', like }, noCustomFields)
    expect(values).toMatchObject({ name: 'Lot 7', owner: 'Ann Zabriskie', area: '', 'zoning.type': 'R-1' })
    expect(geometry).toBeNull()
    const fire = detailOf(anIncident({ title: 'Smoke', resolved: true, reportedBy: 'Rosa', type: 'fire' }))
    expect(
      draftOfNew('oak-hills', 'i9', { kind: 'incident', like: fire }, noCustomFields).values,
    ).toMatchObject({
      title: 'Smoke',
      type: 'fire',
      resolved: 'false',
      date: '',
      reportedBy: '',
    })
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

  it('merge by field: one-sided changes are updates, others conflicts', () => {
    const mine = typed(lot, { owner: 'Bob Quackenbush', buildings: '4', 'zoning.restrictions': 'No fences' })
    const merged = rebase(mine, theirs)
    expect(merged.conflicts).toEqual(['owner'])
    expect(merged.updated).toEqual(['name', 'zoning.type'])
    expect(patchOf(merged)).toEqual({ owner: 'Bob Quackenbush', zoning: { restrictions: 'No fences' } })
    expect(patchOf(settle(merged, 'owner', 'mine'))).toEqual(patchOf(merged))
    const settled = settle(merged, 'owner', 'theirs')
    expect(settled.conflicts).toEqual([])
    expect(patchOf(settled)).toEqual({ zoning: { restrictions: 'No fences' } })
    const again = rebase(merged, { ...theirs, version: 3, description: 'New' } as FeatureDetail)
    expect(again).toMatchObject({ conflicts: ['owner'], updated: ['name', 'description', 'zoning.type'] })
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

  it('change nothing without edits', () => {
    fc.assert(
      fc.property(other, (base) => {
        expect(changed(newDraft(base, noCustomFields))).toEqual([])
        expect(patchOf(newDraft(base, noCustomFields))).toEqual({})
      }),
    )
  })

  it('send the difference between two records', () => {
    fc.assert(
      fc.property(arbitraryLot, arbitraryLot, (base, wanted) => {
        const patch = patchOf({
          ...newDraft(base, noCustomFields),
          values: valuesOf({ base: wanted, customFields: noCustomFields }),
        })
        const { version, referenceNames, ...current } = base
        const applied = applyChange(current as unknown as NewFeature, patch, circumstances())
        if ('faults' in applied) throw new Error(JSON.stringify(applied.faults))
        expect(valuesOf({ base: detailOf(applied.feature), customFields: noCustomFields })).toEqual(
          valuesOf({ base: wanted, customFields: noCustomFields }),
        )
      }),
    )
  })

  it('merge to my changes, otherwise theirs, with conflicts where all three differ', () => {
    fc.assert(
      fc.property(arbitraryLot, arbitraryLot, arbitraryLot, (base, mine, current) => {
        const merged = rebase(
          {
            ...newDraft(base, noCustomFields),
            values: valuesOf({ base: mine, customFields: noCustomFields }),
          },
          current,
        )
        const [was, my, their] = [
          valuesOf({ base: base, customFields: noCustomFields }),
          valuesOf({ base: mine, customFields: noCustomFields }),
          valuesOf({ base: current, customFields: noCustomFields }),
        ]
        for (const path of Object.keys(was)) {
          expect(merged.values[path]).toBe(my[path] === was[path] ? their[path] : my[path])
          const differ = my[path] !== was[path] && their[path] !== was[path] && my[path] !== their[path]
          expect(merged.conflicts.includes(path)).toBe(differ)
          expect(merged.updated.includes(path)).toBe(my[path] === was[path] && their[path] !== was[path])
        }
        expect(merged.base).toBe(current)
      }),
    )
  })
})
