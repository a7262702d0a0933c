import { expect, it } from 'vitest'
import type { Person } from '#domain/access/session.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { inputOf } from '#test/imports/import-inputs.ts'
import { changeFeatures } from '../../features/changes/change-features.commands.ts'
import { rebuildMap } from '../../features/rebuild/rebuild.commands.ts'
import { importFeatures } from '../import-features.ts'
import { undoImport } from './undo-import.ts'

const options = {
  mapId: 'oak-hill',
  kind: 'asset',
  source: 'hydrants',
  client: { name: 'Oak Hill', location: '' },
} as const
const person: Person = { id: 'ann', name: 'Ann', roles: { isAdministrator: true, ofMaps: {} } }

type Row = { name: string; last?: string; history?: [date: string, description: string][] }

function table(rows: Row[]) {
  const features = rows.map(({ name, last = null, history = [] }) => ({
    type: 'Feature',
    id: name,
    properties: {
      name,
      lastMaintenance: last,
      maintenanceHistory: history.map(([date, description]) => ({ date, description })),
    },
    geometry: { type: 'Point', coordinates: [-111, 34] },
  }))
  return inputOf(JSON.stringify({ type: 'FeatureCollection', features }))
}

async function maintenanceOf({ read }: TestDatabase) {
  const assets = await read.selectFrom('features').select(['id', 'name', 'fields', 'next_due']).execute()
  const entries = await read.selectFrom('maintenance_entries').selectAll().orderBy('date', 'desc').execute()
  return Object.fromEntries(
    assets.map(({ id, name, fields, next_due }) => {
      const { lastMaintenance, maintenanceHistory } = JSON.parse(fields)
      const own = entries
        .filter(({ feature_id }) => feature_id === id)
        .map(({ date, text }) => `${date} ${text}`)
      const history = maintenanceHistory.map(
        ({ date, description }: { date: string; description: string }) => `${date} ${description}`,
      )
      return [name, { lastMaintenance, history, entries: own, nextDue: next_due }]
    }),
  )
}

async function idOf({ read }: TestDatabase, name: string) {
  const row = await read
    .selectFrom('features')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return row.id
}

const byHand = {
  date: '2026-02-02',
  text: 'Painted by hand',
  performedBy: 'Ann',
  costCents: null,
  hours: null,
  nextDue: '2027-02-02',
  createdAt: 7,
  createdBy: 'Ann',
  importId: null,
}

async function maintain(database: TestDatabase, name: string, entry: typeof byHand | null) {
  const id = await idOf(database, name)
  const change = { mapId: 'oak-hill', person, changeId: `${name}-${entry ? 'kept' : 'removed'}` }
  await changeFeatures(database, change, [{ action: 'maintain', id, entryId: 'hand', decide: () => entry }])
}

const flushed: [string, string] = ['2024-01-01', 'Flushed']
const capped: [string, string] = ['2025-01-01', 'Capped']

onEachEngine('the maintenance of an import', (createDatabase) => {
  it('becomes entries once, including a last maintenance without an entry', async () => {
    const database = await createDatabase()
    const rows: Row[] = [
      { name: 'A', last: '2025-06-01', history: [flushed, capped] },
      { name: 'B', last: '2023-05-05' },
      { name: 'C', last: '2020-01-01', history: [flushed, flushed] },
      { name: 'D' },
    ]
    await importFeatures(database, table(rows), options)
    const imported = await maintenanceOf(database)
    const of = (...entries: string[]) => ({ history: entries, entries, nextDue: null })
    expect(imported).toEqual({
      A: {
        lastMaintenance: '2025-06-01',
        ...of('2025-06-01 Maintenance', '2025-01-01 Capped', '2024-01-01 Flushed'),
      },
      B: { lastMaintenance: '2023-05-05', ...of('2023-05-05 Maintenance') },
      C: { lastMaintenance: '2024-01-01', ...of('2024-01-01 Flushed', '2024-01-01 Flushed') },
      D: { lastMaintenance: null, ...of() },
    })
    expect(await importFeatures(database, table(rows), options)).toMatchObject({ unchanged: 4, updated: 0 })
    expect(await maintenanceOf(database)).toEqual(imported)
  })

  it('is added to entries of users, all of which are kept', async () => {
    const database = await createDatabase()
    await importFeatures(database, table([{ name: 'A', history: [flushed] }, { name: 'B' }]), options)
    await maintain(database, 'A', byHand)
    await maintain(database, 'B', byHand)
    const before = await maintenanceOf(database)
    const update = table([{ name: 'A', history: [capped] }, { name: 'B' }])
    const { importId } = await importFeatures(database, update, options)
    const after = await maintenanceOf(database)
    const entries = ['2026-02-02 Painted by hand', '2025-01-01 Capped', '2024-01-01 Flushed']
    expect(after).toEqual({
      ...before,
      A: { lastMaintenance: '2026-02-02', history: entries, entries, nextDue: '2027-02-02' },
    })
    await undoImport(database, { importId: importId ?? '' })
    expect(await maintenanceOf(database)).toEqual(before)
  })

  it('keeps a plan that the file does not have', async () => {
    const database = await createDatabase()
    await importFeatures(database, table([{ name: 'A', history: [flushed] }]), options)
    const plan = {
      action: 'change',
      isExpected: () => true,
      change: { maintenancePlan: { everyMonths: 6 } },
    } as const
    const change = { mapId: 'oak-hill', person, changeId: 'plan' }
    await changeFeatures(database, change, [{ ...plan, id: await idOf(database, 'A') }])
    await importFeatures(database, table([{ name: 'A', history: [capped] }]), options)
    expect((await maintenanceOf(database)).A).toMatchObject({ nextDue: '2025-07-01' })
  })

  it('is removed by undo, except from assets with entries of users', async () => {
    const database = await createDatabase()
    const rows = [
      { name: 'A', history: [flushed] },
      { name: 'B', history: [flushed] },
    ]
    const { importId } = await importFeatures(database, table(rows), options)
    await maintain(database, 'A', byHand)
    expect(await undoImport(database, { importId: importId ?? '' })).toMatchObject({ removed: 1 })
    const entries = ['2026-02-02 Painted by hand', '2024-01-01 Flushed']
    expect(await maintenanceOf(database)).toEqual({
      A: { lastMaintenance: '2026-02-02', history: entries, entries, nextDue: '2027-02-02' },
    })
    const remaining = await database.read.selectFrom('maintenance_entries').select('id').execute()
    expect(remaining).toHaveLength(2)
  })

  it('is rebuilt from entries if rows differ', async () => {
    const database = await createDatabase()
    await importFeatures(database, table([{ name: 'A', history: [flushed] }]), options)
    await maintain(database, 'A', byHand)
    const right = await maintenanceOf(database)
    await database.write(async (transaction) => {
      const fields = JSON.stringify({ lastMaintenance: '1999-01-01', maintenanceHistory: [] })
      await transaction.updateTable('features').set({ fields }).execute()
    })
    expect(await rebuildMap(database, 'oak-hill')).toMatchObject({ changed: 1 })
    expect(await maintenanceOf(database)).toEqual(right)
  })
})
