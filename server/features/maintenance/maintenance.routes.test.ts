import { expect, it } from 'vitest'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { MaintenanceEntry, MaintenanceLog } from '#domain/maintenance/maintenance.schema.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import {
  anAsset,
  anIncident,
  storeClient,
  storeConfiguration,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const path = '/api/maps/oak-hills/features/tank'
const log = `${path}/maintenance`
const old = [
  { date: '2024-05-01', description: 'Painted' },
  { date: '2023-05-01', description: 'Cleaned' },
]
const values = {
  date: '2026-05-02',
  text: 'Valve replaced',
  performedBy: 'Dale’s Plumbing',
  costCents: 45_050,
  hours: 1.25,
  nextDue: '2027-01-31',
}

type Changed = { changeId: string; version: number; entry: MaintenanceEntry | null }

onEachEngine('the maintenance of an asset', (createDatabase) => {
  async function start(fields: Parameters<typeof anAsset>[0] = {}) {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    const tank = anAsset({ id: 'tank', name: 'Tank', maintenanceHistory: old, ...fields })
    await storeFeatures(database, [tank, anIncident({ id: 'smoke' })])
    const app = await startTestApp(database)
    const session = await signIn(database, ['editor:oak-hills'])
    const send = (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object, version?: number) =>
      app.send({
        method,
        url,
        headers: { ...session, ...(version === undefined ? {} : { 'if-match': `"${version}"` }) },
        ...(payload ? { payload } : {}),
      })
    const readLog = async () => (await app.get(log, session)).json<MaintenanceLog>()
    const read = async (headers = session) =>
      (await app.get(path, headers)).json<FeatureDetail & { kind: 'asset' }>()
    const undo = (changeId: string, id = `undo-${changeId}`) =>
      send('POST', `/api/maps/oak-hills/changes/${changeId}/undo`, { id })
    const history = async () => (await app.get(`${path}/history`, session)).json()
    return { database, app, session, send, readLog, read, undo, history }
  }

  it('is recorded once if sent repeatedly, and updates the derived fields of the asset', async () => {
    const { send, readLog, read } = await start()
    expect((await readLog()).items.map(({ text, createdBy }) => [text, createdBy])).toEqual([
      ['Painted', null],
      ['Cleaned', null],
    ])
    const added = await send('POST', log, { id: 'valve', ...values })
    expect(added.statusCode, added.body).toBe(201)
    const { version, entry, changeId } = added.json<Changed>()
    expect([version, changeId, added.headers.etag]).toEqual([2, 'valve', '"2"'])
    expect(entry).toEqual({
      id: 'valve',
      ...values,
      version: 2,
      createdAt: expect.any(String),
      createdBy: expect.any(String),
    })
    expect((await send('POST', log, { id: 'valve', ...values })).json()).toEqual(added.json())
    expect((await readLog()).items).toHaveLength(3)
    const tank = await read()
    expect(tank).toMatchObject({ version: 2, lastMaintenance: '2026-05-02', nextDue: '2027-01-31' })
    expect(tank.maintenanceHistory).toEqual([{ date: '2026-05-02', description: 'Valve replaced' }, ...old])
  })

  it('is changed and removed by version, and each change can be undone independently', async () => {
    const { send, readLog, read, undo, history } = await start()
    await send('POST', log, { id: 'valve', ...values })
    const before = await readLog()
    const stale = await send('PATCH', `${log}/valve`, { text: 'Valve' }, 1)
    expect(stale.statusCode).toBe(412)
    expect(stale.json().current).toEqual(before.items[0])
    expect((await send('PATCH', `${log}/valve`, { text: 'Valve' })).statusCode).toBe(428)
    const changed = await send('PATCH', `${log}/valve`, { text: 'Valve', costCents: null }, 2)
    expect(changed.json<Changed>().entry).toMatchObject({
      text: 'Valve',
      costCents: null,
      hours: 1.25,
      version: 3,
    })
    expect((await send('DELETE', `${log}/valve`, undefined, 2)).statusCode).toBe(412)
    const removed = (await send('DELETE', `${log}/valve`, undefined, 3)).json<Changed>()
    expect(await read()).toMatchObject({ version: 4, lastMaintenance: '2024-05-01', nextDue: null })
    expect((await send('PATCH', path, { name: 'Old tank' }, 4)).statusCode).toBe(200)
    const again = await send('POST', log, { id: 'valve', ...values })
    expectProblem(again, 409)

    expect((await undo(removed.changeId)).json()).toMatchObject({ items: [{ id: 'tank' }], kept: [] })
    expect((await readLog()).items[0]).toMatchObject({ text: 'Valve', costCents: null })
    expect((await undo('valve')).json()).toMatchObject({ items: [], kept: ['tank'] })
    await undo(changed.json<Changed>().changeId)
    const [entry] = before.items
    expect((await readLog()).items[0]).toEqual({ ...entry, version: expect.any(Number) })
    await undo('valve', 'undo-again')
    expect((await readLog()).items.map(({ text }) => text)).toEqual(['Painted', 'Cleaned'])
    expect(await read()).toMatchObject({ name: 'Old tank', lastMaintenance: '2024-05-01' })

    const { items } = await history()
    expect(
      items.map(({ changes }: { changes: { field: string }[] }) => changes.map(({ field }) => field)),
    ).toEqual([
      ['maintenance.valve'],
      ['maintenance.valve'],
      ['maintenance.valve'],
      ['name'],
      ['maintenance.valve'],
      ['maintenance.valve'],
      ['maintenance.valve'],
    ])
    expect(items.at(-1).changes[0]).toMatchObject({ before: null, after: { text: 'Valve replaced' } })
  })

  it('is in the activity without its text', async () => {
    const { app, session, send } = await start()
    await send('POST', log, { id: 'valve', ...values })
    await send('PATCH', `${log}/valve`, { text: 'Valve' }, 2)
    await send('DELETE', `${log}/valve`, undefined, 3)
    const activity = await app.get('/api/maps/oak-hills/activity', session)
    const { items } = activity.json<{ items: { action: string; subject: string; details: object }[] }>()
    expect(items.map(({ action, subject }) => [action, subject])).toEqual([
      ['maintenance.removed', 'tank'],
      ['maintenance.changed', 'tank'],
      ['maintenance.added', 'tank'],
    ])
    expect(items.map(({ details }) => Object.keys(details).toSorted())).toEqual(
      items.map(() => ['changeId', 'name']),
    )
    expect(activity.body).not.toMatch(/valve replaced|dale/i)
  })

  it('is removed and restored with the asset, and stays when a version is restored', async () => {
    const { app, session, send, readLog, read, history } = await start()
    await send('POST', log, { id: 'valve', ...values })
    const before = await readLog()
    await send('DELETE', path, undefined, 2)
    expectProblem(await app.get(log, session), 404)
    await send('POST', '/api/maps/oak-hills/removed-features/tank/put-back')
    const version = expect.any(Number)
    expect(await readLog()).toEqual({
      ...before,
      items: before.items.map((entry) => ({ ...entry, version })),
    })
    await send('PATCH', path, { name: 'Old tank' }, 4)
    const { items } = await history()
    const { changeId } = items.find(({ action }: { action: string }) => action === 'changed')
    await send('POST', `${path}/restore`, { changeId, isBefore: true }, 5)
    const restored = await read()
    expect(restored).toMatchObject({ name: 'Tank', lastMaintenance: '2026-05-02' })
    expect((await readLog()).items).toHaveLength(3)
  })

  it('is created from the fields of a new asset', async () => {
    const { app, send, session } = await start()
    const well = {
      kind: 'asset',
      id: 'well',
      name: 'Well',
      geometry: { type: 'Point', coordinates: [-111, 34] },
      lastMaintenance: '2025-06-01',
      maintenanceHistory: [{ date: '2020-01-01', description: 'Dug' }],
    }
    expect((await send('POST', '/api/maps/oak-hills/features', well)).statusCode).toBe(201)
    const { items } = (await app.get('/api/maps/oak-hills/features/well/maintenance', session)).json()
    expect(items.map(({ date, text }: MaintenanceEntry) => [date, text])).toEqual([
      ['2025-06-01', 'Maintenance'],
      ['2020-01-01', 'Dug'],
    ])
    const problem = expectProblem(
      await send('PATCH', '/api/maps/oak-hills/features/well', { lastMaintenance: '2026-01-01' }, 1),
      400,
    )
    expect(problem.detail).toContain('is derived from its maintenance')
  })

  it('shows the public only the date and text of the newest three', async () => {
    const older = { date: '2001-01-01', description: 'Built' }
    const { app, database, send, read } = await start({ maintenanceHistory: [...old, older] })
    await send('POST', log, { id: 'valve', ...values })
    await send('PATCH', path, { maintenancePlan: { task: 'Yearly inspection', month: 'may' } }, 2)
    for (const configuration of [{}, { showPersonalData: true }]) {
      await storeConfiguration(
        database,
        'oak-hills',
        'showPersonalData' in configuration ? 2 : 1,
        configuration,
      )
      const shown = await app.get(path)
      expect(shown.json().maintenanceHistory).toEqual([
        { date: '2026-05-02', description: 'Valve replaced' },
        ...old,
      ])
      expect(shown.json()).toMatchObject({ nextDue: null, maintenancePlan: null })
      expect(shown.body).not.toMatch(/dale|45050|1\.25|2027|inspection/i)
    }
    expect(await read()).toMatchObject({ nextDue: '2027-01-31', maintenancePlan: { month: 'may' } })
  })

  it.each<[string, object, string]>([
    ['no day', { date: '2026-02-30' }, 'date'],
    ['a day in the future', { date: '2099-01-01', nextDue: null }, 'date'],
    ['no text', { text: ' ' }, 'text'],
    ['a cost below nothing', { costCents: -1 }, 'costCents'],
    ['parts of cents', { costCents: 0.5 }, 'costCents'],
    ['endless hours', { hours: 1e9 }, 'hours'],
    ['a next day before the day', { nextDue: '2026-05-02' }, 'nextDue'],
  ])('refuses %s', async (_what, wrong, field) => {
    const { send, readLog } = await start()
    const refused = expectProblem(await send('POST', log, { id: 'valve', ...values, ...wrong }), 400)
    expect(refused.errors?.map(({ name }: { name: string }) => name)).toEqual([field])
    await send('POST', log, { id: 'valve', ...values })
    expectProblem(await send('PATCH', `${log}/valve`, wrong, 2), 400)
    expect((await readLog()).items[0]).toMatchObject(values)
  })

  it('exists for assets on the map only', async () => {
    const { send } = await start()
    const entry = { id: 'valve', ...values }
    expectProblem(await send('POST', '/api/maps/oak-hills/features/smoke/maintenance', entry), 409)
    expectProblem(await send('POST', '/api/maps/oak-hills/features/none/maintenance', entry), 404)
    expectProblem(await send('PATCH', `${log}/none`, { text: 'x' }, 1), 404)
    expectProblem(await send('DELETE', `${log}/none`, undefined, 1), 404)
    await send('POST', log, entry)
    await send('POST', '/api/maps/oak-hills/features', {
      kind: 'asset',
      id: 'well',
      name: 'Well',
      geometry: { type: 'Point', coordinates: [-111, 34] },
    })
    expectProblem(await send('POST', '/api/maps/oak-hills/features/well/maintenance', entry), 409)
  })

  it('requires a plan with a date', async () => {
    const { send } = await start()
    const plan = (maintenancePlan: object) => send('PATCH', path, { maintenancePlan }, 1)
    for (const [wrong, field] of [
      [{ task: 'Inspection' }, 'everyMonths'],
      [{ everyMonths: 0 }, 'everyMonths'],
      [{ everyMonths: 1_201 }, 'everyMonths'],
      [{ everyMonths: 12, month: 'may' }, 'month'],
    ] as const) {
      const { errors } = expectProblem(await plan(wrong), 400)
      expect(errors?.map(({ name }: { name: string }) => name)).toEqual([`maintenancePlan.${field}`])
    }
    expect((await plan({ everyMonths: 12 })).json()).toMatchObject({ nextDue: '2025-05-01' })
  })
})
