import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Report } from '#domain/reports/report.schema.ts'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { startMailServer } from '#test/server/mail-server.ts'
import { addPhoto, addReport, byKey, decide, takeStep } from '#test/server/reports.ts'
import { signIn } from '#test/server/signed-in.ts'
import { finishJobs, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { updateFile } from '../files/files.queries.ts'
import type { MailSender } from '../mail/mail-sender.ts'
import { stopEmailsPathOf } from './report-keys.ts'
import { reportNewsJob } from './report-news-job.ts'

const mapId = 'oak-hills'
const path = `/api/maps/${mapId}/reports`

onEngine('sqlite', 'emails to reporters', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  let rosa: Record<string, string>
  let mail: Awaited<ReturnType<typeof startMailServer>>
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') })
    database = await createDatabase()
    await storeClient(database, mapId, { name: 'Oak, "Hills" <evil@example.org>' })
    app = await startTestApp(database)
    rosa = await signIn(database, [`editor:${mapId}`])
    mail = await startMailServer()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await mail.close()
    await app.close()
  })

  const later = (ms: number) => vi.setSystemTime(Date.now() + ms)

  const runJobs = (sender: MailSender = mail.sender, mayFail = false) => {
    const kind = reportNewsJob({ sender, store: app.store, publicUrl: 'https://land.example' })
    return finishJobs(database, [kind], { mayFail })
  }
  /** Past the time to undo. */
  async function runJobsLater(sender?: MailSender) {
    later(60_000)
    await runJobs(sender)
  }

  const report = async (email: string | null = 'neighbor@example.org', values: object = {}) =>
    (await addReport(app, { description: 'Deep <b>water</b>', email, ...values })).id
  async function read(state: string): Promise<Report | undefined> {
    const { items } = (await app.get(`${path}?state=${state}`, rosa)).json<{ items: Report[] }>()
    return items[0]
  }
  const subjects = () => mail.received.map(({ headers }) => headers.get('subject'))

  it('are not sent while the map is archived', async () => {
    await report()
    await database.write((transaction) =>
      transaction.updateTable('clients').set({ archived_at: 1 }).execute(),
    )
    later(60_000)
    await runJobs()
    expect(mail.received).toHaveLength(0)
  })

  it('say what happened, open the report, and end when the reporter wants', async () => {
    const id = await report()
    await report(null)
    await runJobsLater()
    expect(mail.received).toHaveLength(1)
    const [first] = mail.received
    expect(first?.recipients).toEqual(['neighbor@example.org'])
    expect(first?.headers.get('subject')).toBe('[R-1] Flood: received')
    expect(first?.headers.get('from')).toMatch(/<land@example\.org>$/)
    expect(first?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(first?.text).not.toContain('Deep')

    const link = /https:\/\/land\.example\/report\/oak-hills\/([-\w]+)#([0-9a-f]{32})/.exec(first?.text ?? '')
    expect(link?.[1]).toBe(id)
    const own = await app.get(`${path}/${id}/own`, { 'report-key': link?.[2] ?? '' })
    expect(own.json()).toMatchObject({ id, state: 'new' })

    expect(first?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const [, url = ''] =
      /<https:\/\/land\.example(.+)>/.exec(first?.headers.get('list-unsubscribe') ?? '') ?? []
    const ended = await app.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(ended.statusCode).toBe(204)
    await decide(app, rosa, id, { state: 'accepted' })
    await runJobsLater()
    expect(mail.received).toHaveLength(1)
  })

  it('show photos of the reporter, or public ones', async () => {
    const id = await report()
    await decide(app, rosa, id, { state: 'accepted' })
    const upload = { featureId: id, maintenanceId: null, name: 'Photo' }
    const photoId = await addPhoto(app, `/api/maps/${mapId}/uploads`, { headers: rosa, values: upload })
    const pictures: string[][] = []
    const sender: MailSender = {
      ...mail.sender,
      async send(message) {
        pictures.push(message.pictures.map(({ name }) => name))
        return null
      },
    }
    const hasPhotoAfter = async (state: string) => {
      await takeStep(app, rosa, id, { state })
      await runJobsLater(sender)
      return pictures.at(-1)?.includes('photo')
    }
    const change = (values: object) =>
      database.write(async (transaction) => {
        await updateFile(transaction, { mapId, id: photoId }, values)
      })
    expect(await hasPhotoAfter('in_progress')).toBe(false)
    await change({ is_public: 1 })
    expect(await hasPhotoAfter('waiting')).toBe(true)
    await change({ is_public: 0, added_by_id: `report:${id}` })
    expect(await hasPhotoAfter('resolved')).toBe(true)
    expect(pictures).toHaveLength(3)
  })

  it('show the text of the reporter when staff have decided, and open the report for the current address only', async () => {
    const id = await report()
    await runJobsLater()
    const open = (number: number) => {
      const [, secret = ''] =
        /\/report\/oak-hills\/[-\w]+#([0-9a-f]{32})/.exec(mail.received[number]?.text ?? '') ?? []
      return app.get(`${path}/${id}/own`, { 'report-key': secret })
    }
    const token = () =>
      /token=([0-9a-f]{32})/.exec(mail.received[0]?.headers.get('list-unsubscribe') ?? '')?.[1]
    expect((await open(0)).statusCode).toBe(200)
    await app.patch(`${path}/${id}/own`, { email: 'right@example.org' }, byKey)
    await runJobsLater()
    expect(mail.received[1]?.recipients).toEqual(['right@example.org'])
    expect([(await open(0)).statusCode, (await open(1)).statusCode]).toEqual([404, 200])
    const ended = await app.post(`${stopEmailsPathOf({ mapId, id })}?token=${token()}`)
    expect(ended.statusCode).toBe(404)
    await decide(app, rosa, id, { state: 'accepted' })
    await runJobsLater()
    expect(mail.received[2]?.text).toContain('Deep <b>water</b>')
    await app.post(`${path}/${id}/own/end-emails`, {}, byKey)
    expect((await open(2)).statusCode).toBe(200)
  })

  it('tell of several changes in one message, in the thread of the first', async () => {
    const id = await report()
    await runJobsLater()
    await decide(app, rosa, id, { state: 'accepted' })
    await takeStep(app, rosa, id, {
      state: 'in_progress',
      publicNote: 'Pumps arrive on Monday.',
      internalNote: 'Costs 900',
    })
    later(9_000)
    await runJobs()
    expect(mail.received).toHaveLength(1)
    later(2_000)
    await runJobs()
    expect(subjects()).toEqual(['[R-1] Flood: received', '[R-1] Flood: in progress'])
    const [first, second] = mail.received
    expect(second?.text).toContain('Your report R-1 is being worked on')
    expect(second?.text).toContain('Pumps arrive on Monday.')
    expect(second?.text).not.toContain('900')
    expect(second?.headers.get('in-reply-to')).toBe(first?.headers.get('message-id'))
    await takeStep(app, rosa, id, { internalNote: 'Call them again' })
    await takeStep(app, rosa, id, { assignee: 'Maya Ortiz' })
    await runJobsLater()
    expect(mail.received).toHaveLength(2)
  })

  it('do not tell of a decision that is undone within ten seconds', async () => {
    const id = await report()
    await runJobsLater()
    await decide(app, rosa, id, { state: 'rejected' })
    later(5_000)
    await runJobs()
    await decide(app, rosa, id, { state: 'new' })
    await runJobsLater()
    expect(subjects()).toEqual(['[R-1] Flood: received'])
  })

  it('say that a report was joined with another one, and what happens with that', async () => {
    const main = await report('ann@example.org')
    await decide(app, rosa, main, { state: 'accepted' })
    const id = await report()
    await runJobsLater()
    mail.received.length = 0
    await decide(app, rosa, id, { state: 'duplicate', duplicateOf: main })
    await runJobsLater()
    expect(subjects()).toEqual(['[R-2] Flood: joined with another report'])
    expect(mail.received[0]?.text).toContain(
      'Your report R-2 was joined with ‘Flood’, about the same problem',
    )
    await takeStep(app, rosa, main, { state: 'in_progress', publicNote: 'Pumps arrive on Monday.' })
    await runJobsLater()
    const [, ...news] = mail.received
    expect(news.map(({ recipients }) => recipients[0]).toSorted()).toEqual([
      'ann@example.org',
      'neighbor@example.org',
    ])
    for (const { text } of news) expect(text).toContain('Pumps arrive on Monday.')
    expect(news.find(({ recipients }) => recipients[0] === 'neighbor@example.org')?.text).toContain(
      'about the same problem, which is being worked on',
    )
    // Undone: the reporter no longer gets news of the other incident.
    mail.received.length = 0
    await decide(app, rosa, id, { state: 'new' })
    await takeStep(app, rosa, main, { state: 'resolved' })
    await runJobsLater()
    expect(subjects().toSorted()).toEqual(['[R-1] Flood: resolved', '[R-2] Flood: received'])
  })

  it('do not repeat notes from before a merge, nor after it is undone', async () => {
    const [main, other] = [await report('ann@example.org'), await report('bob@example.org')]
    for (const id of [main, other]) await decide(app, rosa, id, { state: 'accepted' })
    const notes = ['Thank you for the photo, Ann', 'Thank you for the call, Bob']
    await takeStep(app, rosa, main, { publicNote: notes[0] })
    later(1_000)
    await takeStep(app, rosa, other, { publicNote: notes[1] })
    await runJobsLater()
    mail.received.length = 0
    const late = await report('cleo@example.org', { sameAs: main })
    await runJobsLater()
    await decide(app, rosa, other, { state: 'duplicate', duplicateOf: main })
    await runJobsLater()
    expect(subjects()).toEqual(['[R-3] Flood: received', '[R-2] Flood: joined with another report'])
    await decide(app, rosa, other, { state: 'accepted' })
    await runJobsLater()
    await decide(app, rosa, late, { state: 'duplicate', duplicateOf: other })
    await runJobsLater()
    expect(subjects().slice(2)).toEqual(['[R-2] Flood: accepted', '[R-3] Flood: joined with another report'])
    for (const { text } of mail.received) expect(text).not.toContain('Thank you')
    await takeStep(app, rosa, other, { publicNote: 'Pumps arrive on Monday.' })
    await runJobsLater()
    expect(
      mail.received
        .slice(4)
        .map(({ recipients }) => recipients[0])
        .toSorted(),
    ).toEqual(['bob@example.org', 'cleo@example.org'])
  })

  it('follow the incident that the reporter recognized, before and after a merge', async () => {
    const main = await report(null)
    await decide(app, rosa, main, { state: 'accepted' })
    const id = await report('ann@example.org', { sameAs: main })
    await runJobsLater()
    expect(mail.received[0]?.text).toContain('It is about the same problem as ‘Flood’')
    await takeStep(app, rosa, main, { state: 'resolved' })
    await runJobsLater()
    expect(mail.received.at(-1)?.text).toContain('‘Flood’, which is resolved')
    await decide(app, rosa, id, { state: 'duplicate', duplicateOf: main })
    await runJobsLater()
    expect(mail.received.at(-1)?.text).toContain(
      'was joined with ‘Flood’, about the same problem, which is resolved',
    )
  })

  it('have the same Message-Id if a process ended after sending', async () => {
    const id = await report()
    later(60_000)
    const sender: MailSender = {
      ...mail.sender,
      async send(message) {
        await mail.sender.send(message)
        throw new Error('the process ended')
      },
    }
    await runJobs(sender, true)
    await runJobsLater()
    await runJobs()
    expect(mail.received).toHaveLength(2)
    const ids = mail.received.map(({ headers }) => headers.get('message-id'))
    expect(new Set(ids)).toEqual(new Set([`<report.oak-hills.${id}@land.example>`]))
  })

  it('are sent later if the mail server is busy, and show staff an address that it refuses', async () => {
    const id = await report()
    mail.state.refuse = { code: 451, message: 'Try later' }
    later(60_000)
    await runJobs(mail.sender, true)
    expect(await read('new')).toMatchObject({ mailProblem: null })
    mail.state.refuse = null
    await runJobsLater()
    expect(mail.received).toHaveLength(1)
    mail.state.refuse = { code: 550, message: 'No such mailbox' }
    await decide(app, rosa, id, { state: 'accepted' })
    await runJobsLater()
    expect((await read('accepted'))?.mailProblem).toContain('No such mailbox')
  })
})
