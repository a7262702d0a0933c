import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { assetTypes } from '#domain/assets/asset-types.ts'
import { featureKinds, featureStatuses } from '#domain/definition/kinds.ts'
import { type FeatureSummary, type NewFeature, newFeature } from '#domain/features/feature.schema.ts'
import { incidentTypes, severities } from '#domain/incidents/incident-types.ts'
import { searchWords } from '#domain/values/text.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeFeatures, storeMap } from '#test/databases/feature-builders.ts'
import { arbitraryFeatures, arbitraryPosition, words } from '#test/random/arbitrary-features.ts'
import { times } from '#test/random/how-much.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

type Page = { items: FeatureSummary[]; total: number; next: string | null }
type Filter = Partial<Record<'kind' | 'type' | 'status' | 'severity' | 'since' | 'bbox' | 'text', string>>

const features: NewFeature[] = fc
  .sample(arbitraryFeatures, { numRuns: 20, seed: 11 })
  .flat()
  .filter((feature) => newFeature.safeParse(feature).success)
  .map((feature, index) => ({ ...feature, id: `f${index}` }))

onEachEngine('the list of features', (createDatabase) => {
  let database: TestDatabase
  let app: TestApp
  beforeAll(async () => {
    database = await createDatabase()
    await storeMap(database, 'a-map')
    await storeMap(database, 'other-map')
    await storeFeatures(database, features)
    await storeFeatures(
      database,
      features.slice(0, 20).map((feature) => ({ ...feature, mapId: 'other-map' })),
    )
    app = await startTestApp(database)
  })

  const ask = (filter: Filter, page: Record<string, string>) =>
    app.getJson<Page>(`/api/maps/a-map/features?${new URLSearchParams({ ...filter, ...page })}`)

  async function readAll(filter: Filter, limit: number, between: () => Promise<void> = async () => {}) {
    const items: FeatureSummary[] = []
    const totals = new Set<number>()
    for (let next: string | null = ''; next !== null; ) {
      const page: Page = await ask(filter, { limit: String(limit), ...(next ? { after: next } : {}) })
      expect(page.items.length).toBe(page.next === null ? page.items.length : limit)
      items.push(...page.items)
      totals.add(page.total)
      next = page.next
      if (next !== null) await between()
    }
    return { ids: items.map((item) => item.id), totals: [...totals] }
  }

  it('has exactly the features of a filter, and their count, for any page size', async () => {
    const { ids: inOrder } = await readAll({}, 500)
    await fc.assert(
      fc.asyncProperty(arbitraryFilter, fc.integer({ min: 20, max: 500 }), async (filter, limit) => {
        const matching = new Set(features.filter((feature) => isMatch(feature, filter)).map(({ id }) => id))
        const expected = inOrder.filter((id) => matching.has(id))
        const { ids, totals } = await readAll(filter, limit)
        expect(ids).toEqual(expected)
        expect(totals).toEqual([expected.length])
      }),
      { numRuns: times(40), endOnFailure: true },
    )
  })

  it('is the same sequence for any page size', async () => {
    const whole = await readAll({}, 500)
    expect(whole.ids).toHaveLength(features.length)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: features.length + 1 }), async (limit) => {
        expect(await readAll({}, limit)).toEqual(whole)
      }),
      { numRuns: times(5) },
    )
  })

  it('skips and repeats nothing while rows are added', async () => {
    let made = 0
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 20, max: 60 }), async (limit) => {
        const before = new Set((await readAll({}, 500)).ids)
        const { ids } = await readAll({}, limit, async () => {
          const source = features[(made * 37) % features.length] as NewFeature
          await storeFeatures(database, [{ ...source, id: `late${made++}` }])
        })
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.filter((id) => before.has(id)).toSorted()).toEqual([...before].toSorted())
      }),
      { numRuns: 3 },
    )
    await database.write((transaction) =>
      transaction.deleteFrom('features').where('id', 'like', 'late%').execute(),
    )
  })
})

const some = (values: readonly string[]) =>
  fc.subarray([...values], { minLength: 0, maxLength: 3 }).map((chosen) => chosen.join(','))

const degrees = (value: number) => value.toFixed(6)

const arbitraryFilter: fc.Arbitrary<Filter> = fc.record(
  {
    kind: some(featureKinds),
    type: some([...incidentTypes, ...assetTypes]),
    status: some(featureStatuses),
    severity: some([...severities, 'unknown']),
    since: fc
      .date({ min: new Date('2000-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    bbox: fc
      .tuple(arbitraryPosition, arbitraryPosition)
      .map(([a, b]) =>
        [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[0], b[0]), Math.max(a[1], b[1])]
          .map(degrees)
          .join(','),
      ),
    text: fc
      .array(fc.constantFrom(...words.filter((word) => word.length < 20)), { minLength: 1, maxLength: 2 })
      .map((chosen) => chosen.join(' ')),
  },
  { requiredKeys: [] },
)

/** An independent implementation of the filters, from the design. */
function isMatch(feature: NewFeature, filter: Filter): boolean {
  if (feature.kind === 'feature') throw new Error('not among these features')
  const named = (list: string | undefined) => (list ? list.split(',') : [])
  const isIncident = feature.kind === 'incident'
  const isOneOf = (list: string[], value: string | null) => list.length === 0 || list.includes(value ?? '')

  if (!isOneOf(named(filter.kind), feature.kind)) return false
  const types = named(filter.type)
  if (
    isIncident &&
    !isOneOf(
      types.filter((type) => type in incidentTypeSet),
      feature.type ?? null,
    )
  )
    return false
  if (
    feature.kind === 'asset' &&
    !isOneOf(
      types.filter((type) => !(type in incidentTypeSet)),
      feature.type ?? null,
    )
  )
    return false
  if (isIncident && filter.since !== undefined && feature.date && feature.date.slice(0, 10) < filter.since)
    return false
  if (!isOneOf(named(filter.status), statusOf(feature))) return false
  if (!isOneOf(named(filter.severity), isIncident ? (feature.severity ?? 'unknown') : null)) return false
  if (filter.bbox !== undefined && !isTouching(feature, filter.bbox.split(',').map(Number))) return false
  if (filter.text !== undefined) {
    const type = feature.kind === 'parcel' ? '' : (feature.type ?? '')
    const featureWords = searchWords(
      `${isIncident ? feature.title : feature.name} ${feature.description} ${type} ${feature.id}`,
    )
    if (!searchWords(filter.text).every((word) => featureWords.some((other) => other.startsWith(word))))
      return false
  }
  return true
}

const incidentTypeSet = Object.fromEntries(incidentTypes.map((type) => [type, true]))

function statusOf(feature: NewFeature): string | null {
  if (feature.kind === 'incident') return feature.resolved ? 'resolved' : 'unresolved'
  return feature.kind === 'parcel' ? null : feature.status
}

function isTouching({ geometry }: NewFeature, [west = 0, south = 0, east = 0, north = 0]: number[]): boolean {
  const numbers = geometry.coordinates.flat(3) as number[]
  const lngs = numbers.filter((_, index) => index % 2 === 0)
  const lats = numbers.filter((_, index) => index % 2 === 1)
  return (
    Math.min(...lngs) <= east &&
    Math.max(...lngs) >= west &&
    Math.min(...lats) <= north &&
    Math.max(...lats) >= south
  )
}
