import { expect, it } from 'vitest'
import type { FilterCounts } from '#domain/features/filter-counts.schema.ts'
import { localDay } from '#domain/values/time-zones.ts'
import { onEachEngine } from '#test/databases/databases.ts'
import { anAsset, aParcel, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

const map = '/api/maps/oak-hills'
const calendar = `${map}/maintenance-calendar`
const dayMs = 86_400_000
const dayIn = (days: number) => localDay(Date.now() + days * dayMs, 'America/Phoenix')
const plan = (firstDue: string, task: string | null = null) => ({
  maintenancePlan: { task, everyMonths: 12, month: null, firstDue },
})

onEachEngine('maintenance that is due', (createDatabase) => {
  async function start() {
    const database = await createDatabase()
    await storeClient(database, 'oak-hills')
    await storeClient(database, 'elm-park')
    await storeFeatures(database, [
      anAsset({ id: 'late', name: 'Late', ...plan(dayIn(-1)) }),
      anAsset({ id: 'very-late', name: 'Very late', ...plan('2020-02-29', 'Yearly inspection') }),
      anAsset({ id: 'today', name: 'Today', ...plan(dayIn(0)) }),
      anAsset({ id: 'soon', name: 'Soon', type: 'road', ...plan(dayIn(30)) }),
      anAsset({ id: 'later', name: 'Later', ...plan(dayIn(31)) }),
      anAsset({ id: 'never', name: 'Never' }),
      aParcel({ id: 'lot' }),
      anAsset({ id: 'other', mapId: 'elm-park', ...plan('2020-01-01') }),
    ])
    const app = await startTestApp(database)
    const staff = await signIn(database, ['editor:oak-hills'])
    const manager = await signIn(database, ['manager:oak-hills'])
    return { database, app, staff, manager }
  }
  const idsOf = (answer: { json(): { items: { id: string }[] } }) => answer.json().items.map(({ id }) => id)

  it('is listed and counted, most urgent first', async () => {
    const { app, staff } = await start()
    const listed = await app.get(`${map}/due-maintenance?limit=3`, staff)
    expect(listed.json()).toEqual({
      overdue: 2,
      due: 2,
      items: [
        {
          id: 'very-late',
          name: 'Very late',
          type: 'water',
          task: 'Yearly inspection',
          dueOn: '2020-02-29',
          isOverdue: true,
        },
        expect.objectContaining({ id: 'late', dueOn: dayIn(-1), isOverdue: true, task: null }),
        expect.objectContaining({ id: 'today', dueOn: dayIn(0), isOverdue: false }),
      ],
    })
  })

  it('is a filter of lists and counts', async () => {
    const { app, staff } = await start()
    const list = async (query: string) => idsOf(await app.get(`${map}/features?${query}`, staff)).toSorted()
    expect(await list('due=overdue')).toEqual(['late', 'very-late'])
    expect(await list('due=due')).toEqual(['soon', 'today'])
    expect(await list('due=due,overdue&sort=name')).toEqual(['late', 'soon', 'today', 'very-late'])
    expect(await list('due=due&type=road')).toEqual(['soon'])
    const counts = await app.get(`${map}/counts?due=overdue`, staff)
    expect(counts.json()).toMatchObject({ total: 2, byKind: { asset: 2, parcel: 0 } })
    const collection = await app.get(`${map}/features.geojson?due=due`, staff)
    expect(collection.json()).toMatchObject({ numberMatched: 2 })
    const position = await app.get(`${map}/features/late/position?due=overdue&sort=name`, staff)
    expect(position.json()).toEqual({ position: 0 })
    expectProblem(await app.get(`${map}/features?due=maybe`, staff), 400)
  })

  it('is overdue when the day has ended in the time zone of the map', async () => {
    const { app, database, staff } = await start()
    // There, it is always an earlier day than on Kiritimati.
    const earliest = 'Pacific/Pago_Pago'
    const dueOn = localDay(Date.now(), earliest)
    await storeFeatures(database, [anAsset({ id: 'edge', name: 'Edge', ...plan(dueOn) })])
    for (const [time_zone, isOverdue] of [
      [earliest, false],
      ['Pacific/Kiritimati', true],
    ] as const) {
      await database.write((transaction) =>
        transaction.updateTable('clients').set({ time_zone }).where('map_id', '=', 'oak-hills').execute(),
      )
      expect(idsOf(await app.get(`${map}/features?due=overdue`, staff)).includes('edge')).toBe(isOverdue)
      expect((await app.get(`${map}/due-maintenance`, staff)).json().items).toContainEqual(
        expect.objectContaining({ id: 'edge', isOverdue }),
      )
    }
  })

  it('is not in the counts of filters for visitors', async () => {
    const { app, staff } = await start()
    const dues = async (headers = {}) =>
      (await app.get(`${map}/filter-counts`, headers)).json<FilterCounts>().groups?.map(({ due }) => due)
    expect(await dues(staff)).toEqual(expect.arrayContaining(['due', 'overdue']))
    expect(new Set(await dues())).toEqual(new Set([null]))
  })

  it('is for staff only', async () => {
    const { app, database } = await start()
    const elsewhere = await signIn(database, ['manager:elm-park'])
    const addresses = [
      'features?due=due',
      'counts?due=due',
      'features.geojson?due=due',
      'features/late/position?due=due',
    ]
    for (const address of addresses) {
      expect((await app.get(`${map}/${address}`)).statusCode, address).toBe(401)
      expect((await app.get(`${map}/${address}`, elsewhere)).statusCode, address).toBe(403)
    }
  })

  it('moves to the next date when it is recorded', async () => {
    const { app, staff } = await start()
    const url = `${map}/features/late/maintenance`
    await app.send({
      method: 'POST',
      url,
      headers: staff,
      payload: { id: 'done', date: dayIn(0), text: 'Done' },
    })
    expect(idsOf(await app.get(`${map}/features?due=overdue`, staff))).toEqual(['very-late'])
  })

  it('is a calendar at a secret address, until it is replaced or turned off', async () => {
    const { app, database, manager } = await start()
    const share = async () => {
      const answer = await app.send({ method: 'POST', url: calendar, headers: manager, payload: {} })
      expect(answer.statusCode, answer.body).toBe(201)
      return new URL(answer.json<{ address: string }>().address).pathname
    }
    const state = async () => (await app.get(calendar, manager)).json()
    expect(await state()).toEqual({ sharedAt: null, sharedBy: null })
    const first = await share()
    expect(await state()).toEqual({ sharedAt: expect.any(String), sharedBy: expect.any(String) })
    const stored = await database.read
      .selectFrom('maintenance_calendars')
      .selectAll()
      .executeTakeFirstOrThrow()
    const [, secret = ''] = /([^/]+)\.ics$/.exec(first) ?? []
    expect(JSON.stringify(stored)).not.toContain(secret)

    const answer = await app.get(first)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(answer.headers['x-robots-tag']).toBe('noindex')
    expect(answer.headers['x-ratelimit-limit']).toBeDefined()
    const summaries = answer.body.split('\r\n').filter((line) => line.startsWith('SUMMARY:'))
    expect(summaries).toEqual([
      'SUMMARY:Yearly inspection: Very late',
      'SUMMARY:Maintenance: Late',
      'SUMMARY:Maintenance: Today',
      'SUMMARY:Maintenance: Soon',
      'SUMMARY:Maintenance: Later',
    ])
    const second = await share()
    expectProblem(await app.get(first), 404)
    expect((await app.get(second)).statusCode).toBe(200)
    for (const wrong of ['x.ics', `${'a'.repeat(43)}.ics`, secret, `${secret}.ics.ics`])
      expectProblem(await app.get(`/api/calendars/${wrong}`), 404)
    await database.write((transaction) =>
      transaction.updateTable('clients').set({ archived_at: 1 }).where('map_id', '=', 'oak-hills').execute(),
    )
    expectProblem(await app.get(second), 404)
    await database.write((transaction) =>
      transaction.updateTable('clients').set({ archived_at: null }).execute(),
    )
    expect((await app.send({ method: 'DELETE', url: calendar, headers: manager })).statusCode).toBe(204)
    expectProblem(await app.get(second), 404)
    const { items } = (await app.get(`${map}/activity`, manager)).json()
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      'calendar.switched-off',
      'calendar.shared',
      'calendar.shared',
    ])
  })
})
