import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { defaultReportSettings, type ReportSettings } from '#domain/reports/report-settings.ts'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { anAsset, anIncident, storeClient, storeFeatures } from '#test/databases/feature-builders.ts'
import { startMailServer } from '#test/server/mail-server.ts'
import { addReport, byKey, decide, takeStep } from '#test/server/reports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, finishJobs, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { boardDigestJobs } from './board-digest-jobs.ts'
import { staffNewsJob } from './staff-news-job.ts'

const mapId = 'oak-hills'
const maps = `/api/maps/${mapId}`

onEachEngine('emails to staff', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let maya: Record<string, string>
  let mail: Awaited<ReturnType<typeof startMailServer>>
  beforeEach(async () => {
    // A Monday, 5:00 in Arizona.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T12:00:00Z') })
    database = await createDatabase()
    await storeClient(database, mapId, { timeZone: 'America/Phoenix' })
    app = await startTestApp(database)
    maya = await signIn(database, [`manager:${mapId}`])
    mail = await startMailServer()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await mail.close()
    await app.close()
  })

  const set = (change: Partial<ReportSettings>) =>
    app.put(`${maps}/report-settings`, { ...defaultReportSettings, ...change }, { ...maya, 'if-match': '*' })
  const { types, emails } = defaultReportSettings
  const toStaff = (...staffEmails: string[]) => ({
    types: { ...types, flood: { ...types.flood, staffEmails } },
  })
  async function runJobs(sender = mail.sender, mayFail = false) {
    const place = { sender, publicUrl: 'https://land.example' }
    await finishJobs(database, [staffNewsJob(place), ...boardDigestJobs(place)], { mayFail })
  }
  async function afterAMinute() {
    vi.setSystemTime(Date.now() + 60_000)
    await runJobs()
  }
  const report = async (values: object = {}) =>
    (await addReport(app, { description: 'Deep', email: 'ann@example.org', ...values })).id
  const sent = () =>
    mail.received.map(({ recipients, headers }) => `${recipients[0]} ${headers.get('subject')}`).toSorted()

  it('go to the addresses of the type, with a stable number, in one thread', async () => {
    expect((await set(toStaff('crew@example.org', 'desk@example.org'))).statusCode).toBe(200)
    const id = await report()
    await report({ type: 'fire' })
    await afterAMinute()
    expect(sent()).toEqual(['crew@example.org [R-1] Flood', 'desk@example.org [R-1] Flood'])
    const [{ text } = { text: '' }] = mail.received
    expect(text).toContain('> Deep')
    expect(text).toContain('https://land.example/config/map/oak-hills/reports')
    expect(text).not.toContain('ann@example.org')
    await app.post(`${maps}/reports/${id}/own/comments`, { id: randomUUID(), text: 'Deeper now' }, byKey)
    await afterAMinute()
    expect(mail.received.at(-1)?.text).toContain('> Deeper now')
    await decide(app, maya, id, { state: 'accepted' })
    await takeStep(app, maya, id, { state: 'in_progress' })
    await afterAMinute()
    expect(sent().filter((one) => one.startsWith('crew@'))).toEqual(
      Array(3).fill('crew@example.org [R-1] Flood'),
    )
    expect(mail.received.at(-1)?.text).toContain('R-1: in progress')
    const [first, ...others] = mail.received.filter(({ recipients }) => recipients[0] === 'crew@example.org')
    for (const { headers } of others) expect(headers.get('references')).toBe(first?.headers.get('message-id'))
    await afterAMinute()
    expect(mail.received).toHaveLength(6)
  })

  it('reach the other addresses of the type while one fails, and that one later', async () => {
    await set(toStaff('crew@example.org', 'desk@example.org'))
    await report()
    vi.setSystemTime(Date.now() + 60_000)
    await runJobs({
      ...mail.sender,
      send: (one) => (one.to.startsWith('crew') ? Promise.reject(new Error('later')) : mail.sender.send(one)),
    })
    expect(sent()).toEqual(['desk@example.org [R-1] Flood'])
    await afterAMinute()
    expect(sent()).toEqual(['crew@example.org [R-1] Flood', 'desk@example.org [R-1] Flood'])
  })

  it('are not sent while the map is archived', async () => {
    await set(toStaff('crew@example.org'))
    await report()
    await database.write((transaction) =>
      transaction.updateTable('clients').set({ archived_at: 1 }).execute(),
    )
    await afterAMinute()
    expect(mail.received).toHaveLength(0)
  })

  it('do not tell of a decision that is undone within ten seconds', async () => {
    await set(toStaff('crew@example.org'))
    const id = await report()
    await afterAMinute()
    for (const state of ['rejected', 'new']) await decide(app, maya, id, { state })
    await afterAMinute()
    expect(mail.received).toHaveLength(1)
    await app.post(`${maps}/reports/${id}/own/withdraw`, {}, byKey)
    await afterAMinute()
    expect(mail.received.at(-1)?.text).toContain('R-1: withdrawn')
  })

  it.each([
    ['types.flood.staffEmails', toStaff('crew')],
    ['types.flood.staffEmails', toStaff(...Array(6).fill('crew@example.org'))],
    ['emails.board', { emails: { ...emails, board: ['Board <board@example.org>'] } }],
    ['emails.quietFrom', { emails: { ...emails, quietFrom: 24 } }],
  ])('refuse a bad setting and name it: %s', async (name, change) => {
    expect(expectProblem(await set(change), 400).errors?.map((error) => error.name)).toContain(name)
  })

  it('keep the defaults of settings that were saved before there were emails', async () => {
    const { emails: _, ...older } = defaultReportSettings
    const { staffEmails: __, ...flood } = types.flood
    const settings = JSON.stringify({ ...older, types: { ...types, flood } })
    await database.write((transaction) =>
      transaction
        .insertInto('report_settings')
        .values({ map_id: mapId, version: 1, settings, changed_at: 0, changed_by: 'Maya' })
        .execute(),
    )
    const answer = (await app.get(`${maps}/report-settings`, maya)).json()
    expect(answer.settings).toEqual(defaultReportSettings)
    expect((await app.get(`${maps}/report-form`)).body).not.toContain('staffEmails')
  })

  it('tell the board a week later if the digest failed', async () => {
    await set({ emails: { ...emails, board: ['board@example.org'] } })
    await database.write((transaction) =>
      transaction.updateTable('jobs').set({ attempts: 8, run_at: 0 }).execute(),
    )
    await runJobs(mail.sender, true)
    await report()
    vi.setSystemTime(new Date('2026-03-09T14:00:00Z'))
    await runJobs()
    expect(sent()).toEqual(['board@example.org Oak Hills: the week until 2026-03-09'])
  })

  it('tell the board on Mondays, once, of new, overdue, due and changed records', async () => {
    await set({ emails: { ...emails, board: ['board@example.org', 'president@example.org'] } })
    vi.setSystemTime(new Date('2026-03-02T14:00:00Z'))
    await runJobs()
    expect(mail.received).toHaveLength(0)
    await storeFeatures(database, [
      anIncident({ id: 'smoke', title: 'Smoke', due: '2026-03-05' }),
      anIncident({ id: 'ash', title: 'Ash', due: '2026-04-05' }),
      anAsset({
        id: 'tank',
        name: 'Tank',
        maintenancePlan: { everyMonths: null, month: null, task: 'Paint', firstDue: '2026-03-20' } as never,
      }),
    ])
    await report()
    maya = await signIn(database, [`manager:${mapId}`])
    await takeStep(app, maya, 'smoke', { state: 'in_progress' })
    vi.setSystemTime(new Date('2026-03-09T13:59:00Z'))
    await runJobs()
    expect(mail.received).toHaveLength(0)
    vi.setSystemTime(new Date('2026-03-09T14:00:00Z'))
    await runJobs()
    await runJobs()
    expect(sent()).toEqual([
      'board@example.org Oak Hills: the week until 2026-03-09',
      'president@example.org Oak Hills: the week until 2026-03-09',
    ])
    const text = mail.received[0]?.text ?? ''
    expect(text).toContain('Reports that wait for review (1)\r\n- R-1 Flood')
    expect(text).toContain('- Smoke, due 2026-03-05')
    expect(text).not.toContain('Ash, due')
    expect(text).toContain('- Tank, Paint, due 2026-03-20')
    expect(text).toContain('https://land.example/config/map/oak-hills/features?select=smoke')
    vi.setSystemTime(new Date('2026-03-16T14:00:00Z'))
    await runJobs()
    expect(mail.received).toHaveLength(4)
  })
})
