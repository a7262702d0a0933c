import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ReportSettingsAnswer } from '#domain/reports/report-settings.schema.ts'
import { defaultReportSettings, type ReportSettings } from '#domain/reports/report-settings.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { startMailServer } from '#test/server/mail-server.ts'
import { addPhoto, addReport, byKey, decide, key } from '#test/server/reports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, finishJobs, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { reportNewsJob } from './report-news-job.ts'
import { eraseReporters, readReport } from './reports.queries.ts'

const mapId = 'oak-hills'
const maps = `/api/maps/${mapId}`
const withMail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'land@example.org' }

onEachEngine('settings for reports', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let maya: Record<string, string>
  let rosa: Record<string, string>
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T04:00:00Z') })
    database = await createDatabase()
    await storeClient(database, mapId, { timeZone: 'America/Phoenix' })
    await start(withMail)
    maya = await signIn(database, [`manager:${mapId}`], { id: 'maya', name: 'Maya' })
    rosa = await signIn(database, [`editor:${mapId}`])
  })
  afterEach(async () => {
    vi.useRealTimers()
    await app.close()
  })
  const start = async (settings: Record<string, string>) => {
    app = await startTestApp(database, { settings: { REPORTS_PER_HOUR: '100', ...settings } })
  }

  const put = (settings: object, version = 0, headers: Record<string, string> = maya) =>
    app.put(`${maps}/report-settings`, settings, { ...headers, 'if-match': `"${version}"` })
  async function set(change: Partial<ReportSettings>): Promise<ReportSettingsAnswer> {
    const { settings, version } = (await app.get(`${maps}/report-settings`, rosa)).json()
    const response = await put({ ...settings, ...change }, version)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  const { types } = defaultReportSettings
  const form = async () => (await app.get(`${maps}/report-form`)).json()
  const report = (values: object = {}) =>
    addReport(app, { type: 'fire', email: 'ann@example.org', ...values })
  const change = (id: string, values: object) => app.patch(`${maps}/reports/${id}/own`, values, byKey)
  const decideAs = (id: string, state: string) => decide(app, rosa, id, { state })
  const confirm = (id: string, secret: string) =>
    app.post(`${maps}/reports/${id}/confirm`, undefined, { 'report-key': secret })
  const secretOf = async (id: string) => (await readReport(database.read, { mapId, id }))?.email_secret ?? ''
  const isOnMap = async (id: string) => (await app.get(`${maps}/features/${id}`)).statusCode === 200
  const readDue = async (id: string) => (await app.get(`${maps}/features/${id}`, rosa)).json().due

  const sendEmails = ({ sender }: Awaited<ReturnType<typeof startMailServer>>) =>
    finishJobs(database, [reportNewsJob({ sender, store: app.store, publicUrl: 'https://land.example' })])

  it('are changed by managers, with a version, an activity and a check of each value', async () => {
    expect((await app.get(`${maps}/report-settings`, rosa)).json()).toMatchObject({
      version: 0,
      settings: defaultReportSettings,
      sendsMail: true,
    })
    expectProblem(await put(defaultReportSettings, 0, rosa), 403)
    expect((await put(defaultReportSettings)).json()).toMatchObject({ version: 0 })
    const changed = { ...defaultReportSettings, publication: 'immediate' }
    expect((await put(changed)).json()).toMatchObject({ version: 1, settings: { publication: 'immediate' } })
    expectProblem(await put(defaultReportSettings), 412)
    const { items } = (await app.get(`${maps}/activity`, rosa)).json()
    expect(items).toMatchObject([
      {
        action: 'report-settings.changed',
        actor: 'Maya',
        details: { version: 1, parts: ['publication'], publication: 'immediate' },
      },
    ])
  })

  it.each([
    ['types.fire.label', { types: { ...types, fire: { ...types.fire, label: 'x'.repeat(41) } } }],
    ['types.fire.label', { types: { ...types, fire: { ...types.fire, label: ' ' } } }],
    ['types.fire.notice', { types: { ...types, fire: { ...types.fire, notice: '' } } }],
    ['types.fire.dueDays', { types: { ...types, fire: { ...types.fire, dueDays: 1.5 } } }],
    ['types.fire', { types: { flood: types.flood } }],
    ['publication', { publication: 'never' }],
    ['templates.0.text', { templates: [{ id: 'a', state: 'resolved', type: null, text: ' ' }] }],
    [
      'templates.1.id',
      { templates: [1, 2].map(() => ({ id: 'a', state: 'resolved', type: null, text: 'Done' })) },
    ],
    [
      'types.fire.isOffered',
      {
        types: Object.fromEntries(
          Object.entries(types).map(([type, values]) => [type, { ...values, isOffered: false }]),
        ),
      },
    ],
  ])('refuse a bad value and name it: %s', async (name, change) => {
    const response = await put({ ...defaultReportSettings, ...change })
    expect(expectProblem(response, 400).errors?.map((error) => error.name)).toContain(name)
  })

  it('give visitors labels, notices and offered types only', async () => {
    await set({
      types: {
        ...types,
        flood: { ...types.flood, isOffered: false },
        other: { ...types.other, label: 'Something else' },
      },
    })
    expect(await form()).toEqual({
      publication: 'review',
      types: [
        { type: 'fire', label: 'Fire', notice: 'Call 911 before you report a fire.', mustConfirm: true },
        { type: 'fallen_tree', label: 'Fallen tree', notice: '', mustConfirm: false },
        { type: 'other', label: 'Something else', notice: '', mustConfirm: false },
      ],
    })
    expectProblem(await app.get(`${maps}/report-settings`), 401)
    expect((await report({ type: 'other' })).title).toBe('Something else')
  })

  it('accept reports of a type that is no longer offered: they may have waited on a phone', async () => {
    await set({ types: { ...types, flood: { ...types.flood, isOffered: false } } })
    expect(await report({ type: 'flood', secondsAgo: 86_400 })).toMatchObject({ type: 'flood', state: 'new' })
  })

  it('set the due date of an accepted report in the time zone of the association', async () => {
    const { id } = await report()
    await decideAs(id, 'accepted')
    // 4:00 UTC is still February 28 there.
    expect(await readDue(id)).toBe('2026-03-01')
    const { items } = (await app.get(`${maps}/features/${id}/history`, rosa)).json()
    expect(items).toHaveLength(1)
    expect(JSON.stringify(items)).toContain('2026-03-01')
    expect((await app.get(`${maps}/features/${id}`)).json().due).toBeNull()

    const headers = { ...rosa, 'if-match': '*' }
    const due = await app.patch(`${maps}/features/${id}`, { due: '2026-05-01' }, headers)
    expect(due.statusCode).toBe(200)
    await decideAs(id, 'new')
    expect(await isOnMap(id)).toBe(false)
    await decideAs(id, 'accepted')
    expect(await readDue(id)).toBe('2026-05-01')
  })

  it('set no due date for types without one', async () => {
    await set({ types: { ...types, fire: { ...types.fire, dueDays: null } } })
    const { id } = await report()
    await decideAs(id, 'accepted')
    expect(await readDue(id)).toBeNull()
  })

  it('publish reports immediately, once, without their photos; staff can hide them', async () => {
    await set({ publication: 'immediate' })
    const id = randomUUID()
    const answers = await Promise.all([1, 2, 3].map(() => report({ id })))
    expect(answers.map(({ state }) => state)).toContain('accepted')
    expect(await report({ id })).toMatchObject({ state: 'accepted', incident: { id } })
    const feature = await app.get(`${maps}/features/${id}`)
    expect(feature.json()).toMatchObject({ type: 'fire', version: 1 })
    expect(feature.body).not.toContain('ann@')
    expect(await readDue(id)).toBe('2026-03-01')

    const photoId = await addPhoto(app, `${maps}/reports/${id}/photos`)
    expectProblem(await app.get(`${maps}/files/${photoId}/small`), 404)
    expect((await app.get(`${maps}/files/${photoId}/small`, rosa)).statusCode).toBe(200)

    await decideAs(id, 'hidden')
    expect(await isOnMap(id)).toBe(false)
    await decideAs(id, 'new')
    expect(await report({ id })).toMatchObject({ state: 'new' })
  })

  it('leave reports for review that repeat an incident', async () => {
    await set({ publication: 'immediate' })
    const { id } = await report()
    expect(await report({ sameAs: id })).toMatchObject({ state: 'new', duplicateOf: id })
  })

  it('publish a report when its address is confirmed, by a key that only the email has', async () => {
    await set({ publication: 'confirmed' })
    const { id, awaitsConfirmation } = await report()
    expect([awaitsConfirmation, await isOnMap(id)]).toEqual([true, false])
    const secret = await secretOf(id)
    expectProblem(await confirm(id, key), 404)
    expectProblem(await confirm(id, 'cd'.repeat(32)), 404)
    const url = `${maps}/reports/${id}/confirm`
    expectProblem(await app.get(url, { 'report-key': secret }), 404)
    expect(await isOnMap(id)).toBe(false)
    expect((await confirm(id, secret)).json()).toMatchObject({ state: 'accepted', incident: { id } })
    expect(await isOnMap(id)).toBe(true)
    expect((await confirm(id, secret)).json()).toMatchObject({ state: 'accepted' })
    await decideAs(id, 'hidden')
    expect((await confirm(id, secret)).json()).toMatchObject({ state: 'hidden' })
    await decideAs(id, 'new')
    expect((await confirm(id, secret)).json()).toMatchObject({ state: 'new', awaitsConfirmation: false })
  })

  it('publish nothing by a confirmation after staff decided', async () => {
    await set({ publication: 'confirmed' })
    const { id } = await report()
    await decideAs(id, 'rejected')
    await decideAs(id, 'new')
    expect((await confirm(id, await secretOf(id))).json()).toMatchObject({ state: 'new' })
  })

  it('need a new confirmation of a new address', async () => {
    await set({ publication: 'confirmed' })
    const { id } = await report({ email: null })
    expect((await change(id, { email: 'ann@example.org' })).json().awaitsConfirmation).toBe(true)
    const secret = await secretOf(id)
    await change(id, { email: 'bob@example.org' })
    expectProblem(await confirm(id, secret), 404)
    await change(id, { email: null })
    expect(await secretOf(id)).toBe('')
    expect((await app.get(`${maps}/reports/${id}/own`, byKey)).json().awaitsConfirmation).toBe(false)
  })

  it('need a new confirmation, by another email, when the reporter changes the text, type or place', async () => {
    await set({ publication: 'confirmed' })
    const mail = await startMailServer()
    const { id } = await report({ description: 'Smoke' })
    await sendEmails(mail)
    const same = await secretOf(id)
    await change(id, { description: 'Smoke', email: 'ann@example.org' })
    expect(await secretOf(id)).toBe(same)
    for (const values of [
      { description: 'Pay here' },
      { type: 'flood' },
      { place: { lat: 34.1, lng: -111 } },
    ]) {
      const secret = await secretOf(id)
      expect((await change(id, values)).statusCode).toBe(200)
      expectProblem(await confirm(id, secret), 404)
    }
    vi.setSystemTime(Date.now() + 10_000)
    await sendEmails(mail)
    const [first, second, ...others] = mail.received
    expect(others).toEqual([])
    expect(first?.text).toContain('You wrote: Smoke')
    expect(second?.text).toContain('You wrote: Pay here')
    expect(second?.text).toContain(`/confirm#${await secretOf(id)}`)
    expect(second?.headers.get('message-id')).not.toBe(first?.headers.get('message-id'))
    expect((await confirm(id, await secretOf(id))).json()).toMatchObject({ state: 'accepted' })
    await mail.close()
  })

  it('limit the emails that ask to confirm again', async () => {
    await set({ publication: 'confirmed' })
    const { id } = await report()
    for (const text of ['1', '2', '3', '4'])
      expect((await change(id, { description: text })).statusCode).toBe(200)
    expectProblem(await change(id, { description: '5' }), 429)
  })

  it('publish nothing by a confirmation once all reports wait for review', async () => {
    await set({ publication: 'confirmed' })
    const { id } = await report()
    await set({ publication: 'review' })
    expect((await confirm(id, await secretOf(id))).json()).toMatchObject({ state: 'new' })
  })

  it('leave reports for review without a mail server', async () => {
    await set({ publication: 'confirmed' })
    await app.close()
    await start({})
    expect((await form()).publication).toBe('review')
    const { id, awaitsConfirmation } = await report()
    expect(awaitsConfirmation).toBe(false)
    expect((await confirm(id, await secretOf(id))).json()).toMatchObject({ state: 'new' })
  })

  it('erase the key with the address', async () => {
    await set({ publication: 'confirmed' })
    const { id } = await report()
    await confirm(id, await secretOf(id))
    const inTwoYears = Date.now() + 2 * 365 * 86_400_000
    await database.write((transaction) => eraseReporters(transaction, inTwoYears))
    expect(await secretOf(id)).toBe('')
  })

  it('send the link for the confirmation by email, to each new address', async () => {
    await set({ publication: 'confirmed' })
    const mail = await startMailServer()
    const { id } = await report()
    await sendEmails(mail)
    await change(id, { email: 'bob@example.org' })
    await sendEmails(mail)
    expect(mail.received.map(({ recipients }) => recipients)).toEqual([
      ['ann@example.org'],
      ['bob@example.org'],
    ])
    const link = `https://land.example/report/${mapId}/${id}/confirm#${await secretOf(id)}`
    const [first, second] = mail.received
    expect(second?.headers.get('subject')).toBe('[R-1] Fire: please confirm')
    expect(second?.text).toContain(link)
    expect(first?.text).toContain('/confirm#')
    expect(first?.text).not.toContain(link)

    await confirm(id, await secretOf(id))
    vi.setSystemTime(Date.now() + 10_000)
    await sendEmails(mail)
    expect(mail.received.at(-1)?.text).not.toContain('/confirm#')
    await mail.close()
  })
})
