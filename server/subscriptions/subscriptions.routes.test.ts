import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { OwnSubscriptions } from '#domain/subscriptions/subscription.schema.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import {
  anIncident,
  aParcel,
  point,
  square,
  squareRing,
  storeClient,
  storeFeatures,
} from '#test/databases/feature-builders.ts'
import { startMailServer } from '#test/server/mail-server.ts'
import { addReport, decide, takeStep } from '#test/server/reports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, finishJobs, startTestApp, type TestApp } from '#test/server/test-app.ts'
import type { Mail } from '../mail/mail-sender.ts'
import { incidentNewsJob } from './incident-news-job.ts'
import { subscriptionJobs } from './subscription-jobs.ts'
import { endTokenOf } from './subscription-keys.ts'
import { eraseSubscribers } from './subscriptions.queries.ts'

const mapId = 'oak-hills'
const maps = `/api/maps/${mapId}`
const path = `${maps}/subscriptions`
const withMail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'land@example.org', REPORTS_PER_HOUR: '50' }
const publicUrl = 'https://land.example'

onEachEngine('subscriptions', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let rosa: Record<string, string>
  let mail: Awaited<ReturnType<typeof startMailServer>>
  beforeEach(async () => {
    // 5:00 in Arizona.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T12:00:00Z') })
    database = await createDatabase()
    await storeClient(database, mapId, { timeZone: 'America/Phoenix' })
    await storeFeatures(database, [
      anIncident({ id: 'smoke', title: 'Smoke', reportedBy: 'Harold', assignee: 'Maya' }),
      aParcel({ id: 'lot', name: 'Lot 7', owner: 'Vasquez' }),
    ])
    app = await startTestApp(database, { settings: withMail })
    rosa = await signIn(database, [`editor:${mapId}`])
    mail = await startMailServer()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await mail.close()
    await app.close()
  })

  const later = (ms: number) => vi.setSystemTime(Date.now() + ms)
  const hourMs = 3_600_000

  const runJobs = (sender = mail.sender, mayFail = false) =>
    finishJobs(database, [incidentNewsJob, ...subscriptionJobs({ sender, publicUrl })], { mayFail })
  /** Past the time to undo. */
  async function runJobsLater() {
    later(60_000)
    await runJobs()
  }

  async function runJobsAt(time: string) {
    vi.setSystemTime(new Date(time))
    await runJobs()
  }

  const post = (payload: object) => app.post(path, payload)
  async function subscribe(about: object, values: object = {}, email = 'ann@example.org') {
    const response = await post({ email, about, ...values })
    expect(response.statusCode, response.body).toBe(202)
    expect(response.json()).toEqual({ sentTo: email })
  }
  type Link = { id: string; headers: Record<string, string> }
  /** That of the last email. */
  function link(): Link {
    const found = /land\.example\/updates\/oak-hills\/([-\w]+)#([0-9a-f]{32})/.exec(
      mail.received.at(-1)?.text ?? '',
    )
    return { id: found?.[1] ?? '', headers: { 'subscription-key': found?.[2] ?? '' } }
  }
  const act = ({ id, headers }: Link, rest: string) => app.post(`${path}/${id}${rest}`, undefined, headers)
  const change = ({ id, headers }: Link, itemId: string, values: object) =>
    app.patch(`${path}/${id}/own/${itemId}`, values, headers)
  const own = async ({ id, headers }: Link): Promise<OwnSubscriptions> =>
    (await app.get(`${path}/${id}`, headers)).json()
  async function follow(about: object, values: object = {}, email = 'ann@example.org'): Promise<Link> {
    await subscribe(about, values, email)
    await runJobs()
    const one = link()
    expect((await act(one, '/confirm')).statusCode).toBe(200)
    mail.received.length = 0
    return one
  }
  const map = { topic: 'map' }
  const smoke = { topic: 'incident', id: 'smoke' }
  const lot = { topic: 'parcel', id: 'lot', radiusMeters: 100 }

  const work = (step: object, id = 'smoke') => takeStep(app, rosa, id, step)
  const report = async (values: object = {}) => (await addReport(app, { description: 'Deep', ...values })).id
  const decideAs = (id: string, state: string) => decide(app, rosa, id, { state })
  async function merge(id: string, into: string) {
    const headers = { ...rosa, 'if-match': '*' }
    const merged = await app.post(`${maps}/incidents/${id}/merge`, { into }, headers)
    expect(merged.statusCode, merged.body).toBe(200)
  }
  const subjects = () => mail.received.map(({ headers }) => headers.get('subject')).toSorted()
  /** In the day, outside of quiet hours. */
  const toNoon = () => vi.setSystemTime(new Date('2026-03-02T19:00:00Z'))

  it('begin with a link in an email, which only a POST confirms', async () => {
    await subscribe(smoke)
    await runJobs()
    expect(mail.received.map(({ recipients }) => recipients)).toEqual([['ann@example.org']])
    expect(subjects()).toEqual([expect.stringMatching(/^=\?UTF-8\?Q\?Oak_Hills=3A_please_confirm.*Smoke/)])
    const one = link()
    expect((await own(one)).items).toMatchObject([{ topic: 'incident', name: 'Smoke', isConfirmed: false }])
    expectProblem(await app.get(`${path}/${one.id}/confirm`, one.headers), 404)
    expect((await own(one)).items[0]?.isConfirmed).toBe(false)
    const wrong = { id: one.id, headers: { 'subscription-key': 'ab'.repeat(16) } }
    expectProblem(await act(wrong, '/confirm'), 404)
    expectProblem(await app.get(`${path}/${one.id}`, wrong.headers), 404)
    expectProblem(await app.get(`${path}/${one.id}`), 400)
    expect((await act(one, '/confirm')).json()).toMatchObject({ items: [{ isConfirmed: true }] })
    expect((await act(one, '/confirm')).statusCode).toBe(200)
  })

  it('send nothing before they are confirmed', async () => {
    await subscribe(map, {}, 'bob@example.org')
    await follow(map)
    toNoon()
    await work({ state: 'in_progress' })
    await runJobsLater()
    expect(mail.received.map(({ recipients }) => recipients[0])).toEqual(['ann@example.org'])
  })

  it('tell much news in one email, each once', async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `tree-${index}`)
    await storeFeatures(
      database,
      ids.map((id) => anIncident({ id, title: id })),
    )
    await follow(map)
    toNoon()
    for (const id of ids) await work({ state: 'in_progress' }, id)
    await runJobsLater()
    expect(subjects()).toEqual(['Oak Hills: 8 updates'])
    for (const id of ids) expect(mail.received[0]?.text).toContain(`${id} is being worked on`)
    for (const id of ids.slice(0, 5)) await work({ state: 'resolved' }, id)
    await runJobsLater()
    expect(subjects()).toEqual(['Oak Hills: 8 updates', ...ids.slice(0, 5).map((id) => `${id}: resolved`)])
  })

  it('exist once per address and topic, and strangers learn and change nothing', async () => {
    const one = await follow(lot)
    later(120_000)
    await subscribe(lot, { frequency: 'weekly' }, 'Ann@example.org')
    await runJobs()
    expect(subjects()).toEqual(['Oak Hills: you already get updates: Within 100 m of Lot 7 (all types)'])
    expect(link()).toEqual(one)
    expect((await own(one)).items).toMatchObject([{ frequency: 'immediately', radiusMeters: 100 }])
    later(120_000)
    await subscribe(lot, {}, 'bob@example.org')
    await runJobs()
    expect((await own(link())).items).toHaveLength(1)
  })

  it('do not send one email for each of many requests', async () => {
    await subscribe(map)
    await subscribe(map)
    await runJobs()
    await subscribe(map)
    await runJobs()
    expect(mail.received).toHaveLength(1)
    await storeFeatures(
      database,
      [1, 2, 3, 4, 5].map((number) => anIncident({ id: `i${number}` })),
    )
    for (const number of [1, 2, 3, 4, 5]) await subscribe({ topic: 'incident', id: `i${number}` })
    await runJobs()
    expect(mail.received).toHaveLength(5)
    later(24 * hourMs)
    for (let count = 0; count < 7; count++) {
      later(hourMs)
      await subscribe(map)
      await runJobs()
    }
    expect(mail.received).toHaveLength(10)
  })

  const crossed = {
    type: 'Polygon',
    coordinates: [[0, 2, 1, 3, 0].map((corner) => squareRing(0, 0, 1)[corner])],
  }
  it.each([
    ['email', { email: 'ann' }],
    ['about.id', { about: { topic: 'incident', id: 'lot' } }],
    ['about.id', { about: { topic: 'parcel', id: 'none', radiusMeters: 5 } }],
    ['about.radiusMeters', { about: { topic: 'parcel', id: 'lot', radiusMeters: 1e6 } }],
    ['about.topic', { about: { topic: 'city' } }],
    ['types.0', { types: ['noise'] }],
    ['frequency', { frequency: 'hourly' }],
    ['about.area.coordinates', { about: { topic: 'area', area: crossed } }],
  ])('refuse a bad value and name it: %s', async (name, values) => {
    const response = await post({ email: 'ann@example.org', about: map, ...values })
    expect(expectProblem(response, 400).errors?.map((error) => error.name)).toContain(name)
  })

  it('are refused without a mail server, on the sample map, and beyond the limit', async () => {
    const payload = { email: 'ann@example.org', about: map }
    const sample = await app.post('/api/maps/sample/subscriptions', payload)
    expect(sample.statusCode).toBeGreaterThanOrEqual(400)
    for (let count = 0; count < 50; count++) await post(payload)
    expectProblem(await post(payload), 429)
    await app.close()
    app = await startTestApp(database)
    expectProblem(await post(payload), 409)
  })

  it('of one address are changed and ended by the link in any of its emails', async () => {
    await follow(lot)
    const one = await follow(map, { types: ['fire'] })
    await follow(map, {}, 'bob@example.org')
    const bob = await database.read
      .selectFrom('subscriptions')
      .select('id')
      .where('email', '=', 'bob@example.org')
      .executeTakeFirstOrThrow()
    const { items } = await own(one)
    expect(items.map(({ topic }) => topic).toSorted()).toEqual(['map', 'parcel'])
    const parcel = items.find(({ topic }) => topic === 'parcel')?.id ?? ''
    const changed = await change(one, parcel, { frequency: 'daily', radiusMeters: 500 })
    expect(changed.json().items).toContainEqual(
      expect.objectContaining({ id: parcel, frequency: 'daily', radiusMeters: 500 }),
    )
    expect((await change(one, parcel, { notices: true })).json().items).toContainEqual(
      expect.objectContaining({ id: parcel, notices: true }),
    )
    const onlyParcels = await change(one, one.id, { radiusMeters: 5 })
    expect(expectProblem(onlyParcels, 400).errors).toMatchObject([{ name: 'radiusMeters' }])
    expectProblem(await change(one, bob.id, { frequency: 'daily' }), 404)
    expectProblem(await act(one, `/own/${bob.id}/end`), 404)
    expect((await act(one, `/own/${parcel}/end`)).json().items).toHaveLength(1)
    expect((await act(one, '/end-all')).json().items).toEqual([])
    toNoon()
    await work({ state: 'in_progress' })
    await runJobsLater()
    expect(mail.received.map(({ recipients }) => recipients[0])).toEqual(['bob@example.org'])
  })

  it.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])('end by one click in a mail program, with %s, and only that one', async (type, payload) => {
    const one = await follow(smoke)
    await follow(lot)
    toNoon()
    await work({ state: 'in_progress' })
    await runJobsLater()
    const [{ headers } = { headers: new Map<string, string>() }] = mail.received
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const [, url = ''] = /<https:\/\/land\.example(.+)>/.exec(headers.get('list-unsubscribe') ?? '') ?? []
    expectProblem(await app.get(url), 404)
    expect((await own(one)).items).toHaveLength(2)
    const click = {
      method: 'POST',
      url,
      headers: { 'content-type': type, origin: 'https://m.test' },
    } as const
    for (const _ of [1, 2]) expect((await app.send({ ...click, payload })).statusCode).toBe(204)
    expect((await own(one)).items).toMatchObject([{ topic: 'parcel' }])
    const wrong = url.replace(/token=(.)/, (_, first) => `token=${first === '0' ? '1' : '0'}`)
    expectProblem(await app.send({ ...click, url: wrong, payload }), 404)
  })

  it('tell what visitors see, and nothing else', async () => {
    await follow(map)
    toNoon()
    await work({ state: 'assigned', publicNote: 'Crew on Monday', internalNote: 'Costs 900' })
    await work({ assignee: 'Contractor Joe', due: '2026-04-01' })
    later(1_000)
    await work({ internalNote: 'Costs 1900 now' })
    const waiting = await report({ email: 'neighbor@example.org', description: 'Not reviewed' })
    await runJobsLater()
    expect(subjects()).toEqual(['Smoke: assigned'])
    const [{ text } = { text: '' }] = mail.received
    expect(text).toContain('Smoke was assigned to someone who will take care of it')
    expect(text).toContain('> Crew on Monday')
    expect(text).toContain('https://land.example/map/oak-hills?select=smoke')
    for (const hidden of ['900', 'Joe', 'Maya', 'Harold', 'neighbor', 'Not reviewed'])
      expect(text).not.toContain(hidden)
    await work({ internalNote: 'Call them' })
    await decideAs(waiting, 'hidden')
    await runJobsLater()
    expect(mail.received).toHaveLength(1)
  })

  it('tell of several changes in one email, after ten seconds, in one thread; not of undone ones', async () => {
    await follow(smoke)
    toNoon()
    await work({ state: 'assigned' })
    await work({ state: 'in_progress' })
    later(9_000)
    await runJobs()
    expect(mail.received).toHaveLength(0)
    later(2_000)
    await runJobs()
    expect(subjects()).toEqual(['Smoke: in progress'])
    const url = `${maps}/changes/${await work({ state: 'waiting' })}/undo`
    const undone = await app.post(url, { id: randomUUID() }, rosa)
    expect(undone.statusCode, undone.body).toBeLessThan(300)
    await runJobsLater()
    expect(mail.received).toHaveLength(1)
    await work({ state: 'resolved' })
    await runJobsLater()
    expect(subjects()).toEqual(['Smoke: in progress', 'Smoke: resolved'])
    const [first, second] = mail.received.map(({ headers }) => headers)
    expect(second?.get('references')).toBe(first?.get('references'))
    expect(second?.get('message-id')).not.toBe(first?.get('message-id'))
  })

  it('send the same Message-Id if a process ended after sending', async () => {
    await follow(smoke)
    toNoon()
    await work({ state: 'in_progress' })
    later(60_000)
    const sender = {
      ...mail.sender,
      async send(message: Mail) {
        await mail.sender.send(message)
        throw new Error('the process ended')
      },
    }
    await runJobs(sender, true)
    await runJobsLater()
    await runJobs()
    const ids = mail.received.map(({ headers }) => headers.get('message-id'))
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  it('tell an address once, though several subscriptions and a report are about the incident', async () => {
    await follow(map)
    await follow(lot)
    await follow(smoke)
    await follow(map, { frequency: 'daily' }, 'bob@example.org')
    await follow(lot, {}, 'bob@example.org')
    await follow(map, {}, 'neighbor@example.org')
    toNoon()
    const id = await report({ email: 'Neighbor@example.org' })
    await decideAs(id, 'accepted')
    await work({ state: 'in_progress' })
    await runJobsLater()
    later(24 * hourMs)
    await runJobs()
    const sent = mail.received.map(
      ({ recipients, headers }) => `${recipients[0]} ${headers.get('subject')?.split(':')[0]}`,
    )
    expect(sent.toSorted()).toEqual([
      'ann@example.org Flood, Lot 7',
      'ann@example.org Smoke',
      'bob@example.org Flood, Lot 7',
      'bob@example.org Smoke',
      'neighbor@example.org Smoke',
    ])
  })

  it('choose by place, type and kind of news', async () => {
    // 100 m north is about 0.0009 degrees.
    await storeFeatures(database, [
      anIncident({ id: 'near', title: 'Near', geometry: point(-111.089, 34.0528) }),
      anIncident({ id: 'far', title: 'Far', geometry: point(-111.089, 34.0531) }),
    ])
    await follow(lot)
    const area = square(-111.2, 34.053, 0.5)
    await follow({ topic: 'area', area }, {}, 'area@example.org')
    await follow(map, { types: ['flood'] }, 'flood@example.org')
    await follow(map, { news: 'new' }, 'new@example.org')
    toNoon()
    await work({ state: 'in_progress' }, 'near')
    await work({ state: 'in_progress' }, 'far')
    await decideAs(await report(), 'accepted')
    await runJobsLater()
    const sent = mail.received.map(({ recipients, headers }) => `${recipients[0]} ${headers.get('subject')}`)
    expect(sent.toSorted()).toEqual([
      'ann@example.org Flood, Lot 7: new',
      'ann@example.org Near: in progress',
      'area@example.org Far: in progress',
      'flood@example.org Flood, Lot 7: new',
      'new@example.org Flood, Lot 7: new',
    ])
  })

  it('wait for the end of quiet hours, and then tell how things stand', async () => {
    await follow(smoke)
    await work({ state: 'assigned' })
    await runJobsLater()
    await work({ state: 'in_progress' })
    await runJobsLater()
    expect(mail.received).toHaveLength(0)
    // 7:00 there.
    await runJobsAt('2026-03-02T14:00:00Z')
    expect(subjects()).toEqual(['Smoke: in progress'])
  })

  it('come as a digest at 7:00 there, with the news since the last one; none without news', async () => {
    await follow(map, { frequency: 'daily' })
    await follow(map, { frequency: 'weekly' }, 'week@example.org')
    await runJobsAt('2026-03-02T14:00:00Z')
    expect(mail.received).toHaveLength(0)
    await decideAs(await report(), 'accepted')
    await work({ state: 'in_progress' })
    await runJobsLater()
    await runJobsAt('2026-03-03T13:59:00Z')
    expect(mail.received).toHaveLength(0)
    await runJobsAt('2026-03-03T14:00:00Z')
    expect(subjects()).toEqual(['Oak Hills: daily updates, 2026-03-03'])
    const [{ text } = { text: '' }] = mail.received
    expect(text).toMatch(/New\r\n- Flood, Lot 7[\s\S]*Progress\r\n- Smoke is being worked on/)
    await runJobsAt('2026-03-04T14:00:00Z')
    expect(mail.received).toHaveLength(1)
    await runJobsAt('2026-03-09T14:00:00Z')
    expect(mail.received.at(-1)?.recipients).toEqual(['week@example.org'])
    expect(mail.received.at(-1)?.text).toContain('Smoke is being worked on')
    const [, url = ''] =
      /<https:\/\/land\.example(.+)>/.exec(mail.received[0]?.headers.get('list-unsubscribe') ?? '') ?? []
    await app.send({ method: 'POST', url })
    rosa = await signIn(database, [`editor:${mapId}`])
    await work({ state: 'resolved' })
    await runJobsLater()
    await runJobsAt('2026-03-10T14:00:00Z')
    expect(mail.received).toHaveLength(2)
  })

  const setArchived = (archived_at: number | null) =>
    database.write((transaction) => transaction.updateTable('clients').set({ archived_at }).execute())

  it('send nothing while the map is archived, and the digest after it was restored', async () => {
    await follow(map, { frequency: 'daily' })
    await work({ state: 'in_progress' })
    await runJobsLater()
    await setArchived(1)
    await runJobsAt('2026-03-02T14:00:00Z')
    await setArchived(null)
    expect(mail.received).toHaveLength(0)
    await runJobsAt('2026-03-03T14:00:00Z')
    expect(subjects()).toEqual(['Oak Hills: daily updates, 2026-03-03'])
  })

  it.each(['a digest', 'an end'])(
    'compare with how the incident stood after %s, not before',
    async (pause) => {
      toNoon()
      const one = await follow(smoke)
      const step = async (state: string) => {
        await work({ state })
        await runJobsLater()
      }
      await step('in_progress')
      if (pause === 'an end') await act(one, '/end-all')
      else await change(one, one.id, { frequency: 'daily' })
      await step('waiting')
      expect(subjects()).toEqual(['Smoke: in progress'])
      if (pause === 'an end') await follow(smoke)
      else {
        await change(one, one.id, { frequency: 'immediately' })
        mail.received.length = 0
      }
      await step('in_progress')
      expect(subjects()).toEqual(['Smoke: in progress'])
    },
  )

  it('end by one click while the map is archived', async () => {
    const { id } = await follow(map, { frequency: 'daily' })
    const row = await database.read.selectFrom('subscriptions').selectAll().executeTakeFirstOrThrow()
    await setArchived(1)
    const url = `${path}/${id}/unsubscribe?token=${endTokenOf(row)}`
    expect((await app.send({ method: 'POST', url })).statusCode).toBe(204)
    await setArchived(null)
    await work({ state: 'in_progress' })
    await runJobsLater()
    await runJobsAt('2026-03-03T14:00:00Z')
    expect(mail.received).toHaveLength(0)
  })

  it('send news of the week in the first daily digest after a change from weekly', async () => {
    const one = await follow(map, { frequency: 'weekly' })
    await work({ state: 'in_progress' })
    await runJobsLater()
    later(60_000)
    expect((await change(one, one.id, { frequency: 'daily' })).statusCode).toBe(200)
    await runJobsAt('2026-03-03T14:00:00Z')
    expect(subjects()).toEqual(['Oak Hills: daily updates, 2026-03-03'])
  })

  it('send news in the digest that is older than another subscription of the address', async () => {
    await follow(map, { frequency: 'daily' })
    await work({ state: 'in_progress' })
    await runJobsLater()
    later(60_000)
    await follow(smoke)
    await runJobsAt('2026-03-03T14:00:00Z')
    expect(subjects()).toEqual(['Oak Hills: daily updates, 2026-03-03'])
  })

  it('send news in the next digest that another process was still writing during the last one', async () => {
    await follow(map, { frequency: 'daily' })
    await runJobsAt('2026-03-02T14:00:00Z')
    const standing = JSON.stringify({ work: 'in_progress', noteId: null, noteAt: 0 })
    const times = { appeared_at: null, changed_at: Date.now() - 5_000 }
    await database.write((transaction) =>
      transaction
        .insertInto('incident_news')
        .values({ map_id: mapId, incident_id: 'smoke', standing, ...times })
        .execute(),
    )
    for (const day of [3, 4]) {
      vi.setSystemTime(new Date(`2026-03-0${day}T14:00:00Z`))
      await runJobs()
    }
    expect(subjects()).toEqual(['Oak Hills: daily updates, 2026-03-03'])
  })

  it('send the next digest in the time zone there after the mail server failed for half a day', async () => {
    await follow(map, { frequency: 'daily' })
    await work({ state: 'in_progress' })
    await runJobsLater()
    await database.write((transaction) => transaction.updateTable('jobs').set({ attempts: 79 }).execute())
    vi.setSystemTime(new Date('2026-03-03T03:00:00Z'))
    const failing = { ...mail.sender, send: () => Promise.reject(new Error('down')) }
    await runJobs(failing, true)
    const [job] = await database.read.selectFrom('jobs').select(['run_at', 'dead_at']).execute()
    expect([new Date(Number(job?.run_at)).toISOString(), job?.dead_at]).toEqual([
      '2026-03-03T14:00:00.000Z',
      null,
    ])
  })

  it('follow an incident that was merged into another one', async () => {
    await storeFeatures(database, [anIncident({ id: 'main', title: 'Main' })])
    await follow(smoke)
    toNoon()
    await merge('smoke', 'main')
    await runJobsLater()
    mail.received.length = 0
    await work({ state: 'resolved' }, 'main')
    await runJobsLater()
    expect(subjects()).toEqual(['Main: resolved'])
  })

  it('do not repeat notes that a merge moved to the incident', async () => {
    await storeFeatures(database, [anIncident({ id: 'main', title: 'Main' })])
    await follow({ topic: 'incident', id: 'main' })
    toNoon()
    await work({ state: 'assigned' }, 'main')
    await work({ publicNote: 'Thank you for the photo, Ann' })
    await runJobsLater()
    mail.received.length = 0
    await merge('smoke', 'main')
    await runJobsLater()
    expect(mail.received).toEqual([])
  })

  it('end after three emails that the server of the address refuses', async () => {
    const one = await follow(smoke)
    mail.state.refuse = { code: 550, message: 'No such mailbox' }
    toNoon()
    for (const state of ['assigned', 'in_progress', 'waiting']) {
      expect((await own(one)).items).toHaveLength(1)
      await work({ state })
      await runJobsLater()
    }
    expect((await own(one)).items).toHaveLength(0)
  })

  it('are erased a month after their end, and unconfirmed ones after a week', async () => {
    await subscribe(map, {}, 'bob@example.org')
    await runJobs()
    const one = await follow(smoke)
    await follow(lot, {}, 'kept@example.org')
    await act(one, '/end-all')
    const emails = async () =>
      (await database.read.selectFrom('subscriptions').select('email').orderBy('email').execute()).map(
        ({ email }) => email,
      )
    const erase = (days: number) =>
      database.write((transaction) => eraseSubscribers(transaction, Date.now() + days * 24 * hourMs))
    await erase(6)
    expect(await emails()).toHaveLength(3)
    await erase(8)
    expect(await emails()).toEqual(['ann@example.org', 'kept@example.org'])
    await erase(31)
    expect(await emails()).toEqual(['kept@example.org'])
  })
})
