import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SubscriptionsTable } from '#server/database/tables.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anAsset,
  aParcel,
  line,
  square,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { aSubscriptionRow } from '#test/databases/subscription-rows.ts'
import { startMailServer } from '#test/server/mail-server.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, finishJobs, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { noticeJobs } from './notice-jobs.ts'
import { endTokenOf } from './subscription-keys.ts'
import { insertSubscription, readSubscription, updateSubscription } from './subscriptions.queries.ts'

const mapId = 'oak-hills'
const path = `/api/maps/${mapId}/notices`
const withMail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'land@example.org' }
const publicUrl = 'https://land.example'

/** Squares of about 92 m by 111 m in a row along the parallel, each beside the next. */
const squareIn = (column: number) => square(column / 1000, 34, 0.001)

onEachEngine('notices', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let rosa: Record<string, string>
  let mail: Awaited<ReturnType<typeof startMailServer>>
  beforeEach(async () => {
    database = await createDatabase()
    await storeClient(database, mapId)
    await storeFeatures(database, [
      ...[0, 1, 2, 3, 9].map((column) =>
        aParcel({ id: `lot-${column}`, name: `Lot ${column}`, geometry: squareIn(column) }),
      ),
      anAsset({ id: 'road', geometry: line([0.0005, 33.9995], [0.0015, 33.9995]) }),
    ])
    app = await startTestApp(database, { settings: withMail })
    rosa = await signIn(database, [`editor:${mapId}`])
    mail = await startMailServer()
  })
  afterEach(async () => {
    await mail.close()
    await app.close()
  })

  const runJobs = () => finishJobs(database, noticeJobs({ sender: mail.sender, publicUrl }))

  /** Confirmed, with notices. */
  const follow = (id: string, columns: Partial<SubscriptionsTable> = {}) =>
    database.write((transaction) =>
      insertSubscription(
        transaction,
        aSubscriptionRow({ id, email: `${id}@example.org`, about_hash: id, notices: 1, ...columns }),
      ),
    )
  const lot = (column: number, radius = 0) =>
    ({ topic: 'parcel', feature_id: `lot-${column}`, radius_meters: radius }) as const
  const post = (payload: object, rest = '', headers = rosa) => app.post(`${path}${rest}`, payload, headers)
  const aNotice = (values: object = {}) => ({
    id: randomUUID(),
    ids: ['lot-0'],
    subject: 'Road closed',
    message: 'Main Road is closed\nuntil Friday.\n\nSorry.',
    ...values,
  })
  async function send(values: object = {}) {
    const response = await post(aNotice(values))
    expect(response.statusCode, response.body).toBe(202)
    await runJobs()
    return response.json<{ people: number }>()
  }
  const preview = async (area: object) => (await post(area, '/preview')).json()
  const recipients = () => mail.received.flatMap((one) => one.recipients).toSorted()

  it('go to those who agreed and whose subscription covers the area, in one email each', async () => {
    await follow('map')
    await follow('own', lot(0))
    await follow('around', lot(3, 300))
    await follow('drawn', { topic: 'area', area: JSON.stringify(squareIn(0)) })
    await follow('twice', lot(0))
    await follow('twice-map', { email: 'twice@example.org' })
    await follow('far', lot(9, 300))
    await follow('beside', lot(1))
    await follow('far-drawn', { topic: 'area', area: JSON.stringify(squareIn(9)) })
    await follow('not-agreed', { notices: 0 })
    await follow('unconfirmed', { confirmed_at: null })
    await follow('ended', { ended_at: 1 })
    await follow('incident', { topic: 'incident', feature_id: 'lot-0' })
    expect(await preview({ ids: ['lot-0'] })).toEqual({ parcels: 1, people: 5 })
    expect(await send()).toEqual({ people: 5 })
    expect(recipients()).toEqual(
      ['around', 'drawn', 'map', 'own', 'twice'].map((name) => `${name}@example.org`),
    )
    const own = mail.received.find((one) => one.recipients[0] === 'own@example.org')
    expect(own?.headers.get('subject')).toBe('Road closed')
    expect(own?.headers.get('from')).toBe('Oak Hills <land@example.org>')
    expect(own?.headers.get('message-id')).toMatch(/^<notice\.oak-hills\.[-0-9a-f]+\.own@land\.example>$/)
    expect(own?.headers.get('list-unsubscribe')).toContain('/subscriptions/own/unsubscribe?token=')
    expect(own?.text.replaceAll('\r', '')).toContain('Main Road is closed\nuntil Friday.\n\nSorry.')
    await runJobs()
    expect(mail.received).toHaveLength(5)
  })

  it('count parcels within a distance of a road, and reach only those', async () => {
    await follow('near', lot(1))
    await follow('far', lot(3))
    expect(await preview({ ids: ['road'] })).toEqual({ parcels: 0, people: 0 })
    expect(await preview({ ids: ['road'], meters: 60 })).toEqual({ parcels: 2, people: 1 })
    expect(await preview({ ids: ['road'], meters: 120 })).toEqual({ parcels: 3, people: 1 })
    await send({ ids: ['road'], meters: 60 })
    expect(recipients()).toEqual(['near@example.org'])
  })

  it('take a filter as an area', async () => {
    await follow('own', lot(9))
    await follow('map')
    expect(await preview({ filter: { status: 'offline' }, meters: 50 })).toEqual({ parcels: 0, people: 0 })
    expect(await preview({ filter: { kind: 'parcel' }, except: ['lot-0'] })).toEqual({
      parcels: 4,
      people: 2,
    })
  })

  it('are sent once for a repeated request, and not after the subscription or its notices ended', async () => {
    await follow('own', lot(0))
    const notice = aNotice()
    await follow('unticked', lot(0))
    for (let time = 0; time < 2; time++) expect((await post(notice)).json()).toEqual({ people: 2 })
    await database.write((transaction) =>
      updateSubscription(transaction, { mapId, id: 'unticked' }, { notices: 0 }),
    )
    const row = await readSubscription(database.read, { mapId, id: 'own' })
    const url = `/api/maps/${mapId}/subscriptions/own/unsubscribe?token=${endTokenOf(row as SubscriptionsTable)}`
    expect((await app.post(url)).statusCode).toBe(204)
    await runJobs()
    expect(mail.received).toHaveLength(0)
    expectProblem(await post({ ...notice, message: 'Other' }), 409)
    const { items } = (await app.get(`/api/maps/${mapId}/activity`, rosa)).json()
    const sent = items.filter(({ action }: { action: string }) => action === 'notice.sent')
    expect(sent).toMatchObject([{ details: { count: 2, subject: 'Road closed' } }])
    expect((await app.get(`/api/maps/${mapId}/activity`)).body).not.toContain('notice.sent')
  })

  it('never show addresses, and are for editors', async () => {
    await follow('own', lot(0))
    const staff = await signIn(database, [`viewer:${mapId}`])
    for (const rest of ['', '/preview']) {
      const response = await post(rest === '' ? aNotice() : { ids: ['lot-0'] }, rest)
      expect(response.body).not.toContain('@')
      expectProblem(await post(aNotice(), rest, staff), 403)
      expectProblem(await post(aNotice(), rest, {}), 401)
    }
  })

  it('are at most five an hour', async () => {
    await follow('own', lot(0))
    for (let time = 0; time < 5; time++) await send()
    expect(expectProblem(await post(aNotice()), 429).detail).toMatch(/5 notices an hour/)
    expect(mail.received).toHaveLength(5)
    await database.write((transaction) => transaction.updateTable('notices').set({ sent_at: 0 }).execute())
    await send()
  })

  it.each([
    [{ subject: ' ' }, 400, 'subject'],
    [{ subject: 'A\nBcc: x@example.org' }, 400, 'subject'],
    [{ subject: 'A\ud800' }, 400, 'subject'],
    [{ message: '' }, 400, 'message'],
    [{ message: 'A\u0000' }, 400, 'message'],
    [{ message: 'x'.repeat(5_001) }, 400, 'message'],
    [{ meters: -1 }, 400, 'meters'],
    [{ meters: 10_001 }, 400, 'meters'],
    [{ ids: [] }, 400, 'ids'],
    [{ ids: undefined }, 400, 'filter'],
    [{ filter: {} }, 400, 'filter'],
    [{ ids: ['gone'] }, 400, 'ids'],
  ])('reject %o with an error that names the field', async (values, status, name) => {
    await follow('own', lot(0))
    const { errors = [] } = expectProblem(await post(aNotice(values)), status)
    expect(errors[0]?.name).toBe(name)
    expect(mail.received).toHaveLength(0)
  })

  it('reject an area without subscribers to notices, and a server without email', async () => {
    expect(expectProblem(await post(aNotice()), 409).detail).toMatch(/No subscriber/)
    const other = await startTestApp(database)
    expectProblem(await other.post(path, aNotice(), rosa), 409)
    await other.close()
  })
})
