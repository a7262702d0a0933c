import { expect, it } from 'vitest'
import { featureKinds } from '#domain/definition/kinds.ts'
import type { FilterCounts } from '#domain/features/filter-counts.schema.ts'
import { countChoices } from '#domain/features/filter-counts.ts'
import {
  type Filters,
  featureFilters,
  offeredFilters,
  queryOfFilters,
  readFilters,
} from '#domain/features/filters.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, anIncident, aParcel, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectBadParameter, startTestApp } from '#test/server/test-app.ts'

const map = '/api/maps/oak-hills'
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const dueIn = (days: number) => ({
  maintenancePlan: { task: null, everyMonths: 12, month: null, firstDue: daysAgo(-days).slice(0, 10) },
})

onEachEngine('counts of filters', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeFeatures(database, [
      anIncident({ title: 'Burning oak', date: daysAgo(2), severity: 'high' }),
      anIncident({ date: daysAgo(20), resolved: true, severity: null }),
      anIncident({ type: 'flood', date: daysAgo(200) }),
      anIncident({ type: null, date: daysAgo(2_000) }),
      anIncident({ type: 'flood', date: null }),
      anAsset({ ...dueIn(-3) }),
      anAsset({ type: 'road', status: 'offline', ...dueIn(3) }),
      anAsset({ type: null, status: 'offline' }),
      aParcel({ name: 'Oak lot' }),
      aParcel(),
    ])
    const app = await startTestApp(database)
    const staff = await signIn(database, ['editor:oak-hills'])
    const read = async <Answer>(path: string) => (await app.get(`${map}/${path}`, staff)).json<Answer>()
    return { app, database, read }
  }

  it.each<Filters>([
    {},
    { status: 'unresolved' },
    { status: 'offline', due: 'due' },
    { incidents: 'flood', time: 'year' },
    { severity: 'unknown', assets: 'road' },
  ])('with %j are the totals of the lists', async (filters) => {
    const { read } = await start()
    const { groups } = await read<FilterCounts>('filter-counts')
    for (const { name, choices } of offeredFilters(undefined, true)) {
      const counts = countChoices(groups ?? [], name, Object.keys(choices), filters)
      const kind = featureKinds.filter(featureFilters[name].appliesTo).join(',')
      for (const choice of Object.keys(choices)) {
        const query = queryOfFilters(readFilters({ ...filters, [name]: choice }, true), 'America/Phoenix')
        const parameters = Object.entries({ ...query, kind }).filter(([, value]) => value !== undefined)
        const { total } = await read<{ total: number }>(`features?${new URLSearchParams(parameters)}`)
        expect([name, choice, counts[choice]]).toEqual([name, choice, total])
      }
    }
  })

  it('are those of a search, and follow changes', async () => {
    const { database, read } = await start()
    const kinds = async (search: string) => {
      const { groups } = await read<FilterCounts>(`filter-counts${search}`)
      return countChoices(groups ?? [], 'kind', featureKinds, {})
    }
    expect(await kinds('?text=oak')).toEqual({ incident: 1, asset: 0, parcel: 1 })
    expect(await kinds('')).toEqual({ incident: 5, asset: 3, parcel: 2 })
    await storeFeatures(database, [aParcel()])
    await database.write((transaction) =>
      transaction
        .updateTable('maps')
        .set({ updated_at: Date.now() + 1 })
        .execute(),
    )
    expect(await kinds('')).toEqual({ incident: 5, asset: 3, parcel: 3 })
  })

  it('refuse other filters', async () => {
    const { app } = await start()
    expectBadParameter(await app.get(`${map}/filter-counts?status=offline`), 'query', 'status')
  })
})
