import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onEachEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { aSubscriptionRow } from '#test/databases/subscription-rows.ts'
import { times } from '#test/random/how-much.ts'
import { aBounce } from '#test/server/a-bounce.ts'
import { startMailServer } from '#test/server/mail-server.ts'
import { addReport } from '#test/server/reports.ts'
import { expectProblem, finishJobs, startTestApp, type TestApp } from '#test/server/test-app.ts'
import { returningSubscription, returnNameOf } from '../mail/return-path.ts'
import { reportNewsJob } from '../reports/report-news-job.ts'
import { readReport } from '../reports/reports.queries.ts'
import { insertSubscription, readSubscription } from '../subscriptions/subscriptions.queries.ts'
import { BounceError, readBounce } from './read-bounce.ts'

const mapId = 'oak-hills'
const secret = 'a-secret-of-16-or-more'
const settings = {
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'land@example.org',
  MAIL_BOUNCES_SECRET: secret,
}

onEachEngine('bounces', (createDatabase) => {
  let app: TestApp
  let database: TestDatabase
  const row = aSubscriptionRow({ id: randomUUID() })
  const to = `${returnNameOf(returningSubscription(row))}@example.org`
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-02T12:00:00Z') })
    database = await createDatabase()
    await storeClient(database, mapId)
    await database.write((transaction) => insertSubscription(transaction, row))
    app = await startTestApp(database, { settings })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await app.close()
  })

  const post = (payload: string, headers: Record<string, string> = {}) =>
    app.send({
      method: 'POST',
      url: '/api/mail/bounces',
      headers: { 'content-type': 'message/rfc822', 'mail-secret': secret, ...headers },
      payload,
    })
  const outcome = async (message: string) => {
    const response = await post(message)
    expect(response.statusCode, response.body).toBe(200)
    return response.json().outcome
  }
  const isEnded = async (id = row.id) =>
    (await readSubscription(database.read, { mapId, id }))?.ended_at !== null
  const laterBy = (days: number) => vi.setSystemTime(Date.now() + days * 86_400_000)

  it('for good end all subscriptions of the address at once', async () => {
    await database.write(async (transaction) => {
      await insertSubscription(transaction, { ...row, id: 'second', about_hash: 'second' })
      await insertSubscription(transaction, {
        ...row,
        id: 'other',
        about_hash: 'o',
        email: 'bob@example.org',
      })
    })
    expect(await outcome(aBounce(to.toUpperCase()).replaceAll('\n', '\r\n'))).toBe('ended')
    expect(await Promise.all([isEnded(), isEnded('second'), isEnded('other')])).toEqual([true, true, false])
    expect(await outcome(aBounce(to))).toBe('ignored')
  })

  it('that are temporary end a subscription after three within a week', async () => {
    expect(await outcome(aBounce(to, '4.2.2', 'delayed'))).toBe('counted')
    laterBy(6)
    expect(await outcome(aBounce(to, '4.2.2'))).toBe('counted')
    laterBy(2)
    expect(await outcome(aBounce(to, '4.2.2'))).toBe('counted')
    expect(await isEnded()).toBe(false)
    laterBy(3)
    expect(await outcome(aBounce(to, '4.2.2'))).toBe('ended')
    expect(await isEnded()).toBe(true)
  })

  it('change nothing after a delivery, without the code of the email, or after the address changed', async () => {
    expect(await outcome(aBounce(to, '2.0.0', 'delivered'))).toBe('ignored')
    const last = to.indexOf('@') - 1
    const forged = `${to.slice(0, last)}${to[last] === '0' ? '1' : '0'}${to.slice(last + 1)}`
    expect(await outcome(aBounce(forged))).toBe('unknown')
    const old = returnNameOf({ ...returningSubscription(row), email: 'old@example.org' })
    expect(await outcome(aBounce(`${old}@example.org`))).toBe('unknown')
    expect(await isEnded()).toBe(false)
  })

  it.each([
    ['a program', randomUUID()],
    ['the page', randomUUID().replaceAll('-', '')],
  ])('stop the emails to a reporter who used %s', async (_, id) => {
    const mail = await startMailServer({ hasReturnPaths: true })
    await addReport(app, { id, description: 'Deep', email: 'ann@example.org' })
    const place = { sender: mail.sender, store: app.store, publicUrl: 'https://land.example' }
    await finishJobs(database, [reportNewsJob(place)])
    await mail.close()
    const [{ returnPath = '' } = {}] = mail.received
    expect(returnPath).toMatch(/^bounce\+r[0-9a-v]{34}\.[0-9a-f]{20}@example\.org$/)
    expect(mail.received[0]?.headers.get('from')).toContain('<land@example.org>')
    for (const expected of ['counted', 'counted', 'ended', 'unknown'])
      expect(await outcome(aBounce(returnPath, '4.4.1'))).toBe(expected)
    expect(await readReport(database.read, { mapId, id })).toMatchObject({
      email: null,
      mail_problem: 'The email bounced (4.4.1).',
    })
  })

  it.each([
    ['', /multipart\/report/],
    ['Hello', /multipart\/report/],
    ['Content-Type: multipart/report\n\n', /boundary/],
    [aBounce(to).replace('message/delivery-status', 'text/plain'), /delivery-status/],
    [aBounce(to, 'unknown'), /Status/],
    [aBounce(to, '5.1'), /Status/],
    [aBounce('land@example.org'), /return path/],
    [aBounce(to).slice(0, 300), /delivery-status/],
    ['\u0000\n'.repeat(1_000), /multipart\/report/],
  ])('are refused with a reason if they are malformed: %#', async (message, reason) => {
    const response = await post(message)
    expect(expectProblem(response, 400).detail).toMatch(reason)
    expect(await isEnded()).toBe(false)
  })

  it('need the secret, and are at most 1 MB', async () => {
    for (const value of ['', 'wrong', 'ü'.repeat(secret.length)])
      expectProblem(await post(aBounce(to), { 'mail-secret': value }), 401)
    expectProblem(await post(aBounce(to) + 'x'.repeat(1024 * 1024)), 413)
    expectProblem(await post(aBounce(to), { 'content-type': 'text/html' }), 415)
    const other = await startTestApp(database)
    const headers = { 'content-type': 'text/plain', 'mail-secret': secret }
    const url = '/api/mail/bounces'
    expectProblem(await other.send({ method: 'POST', url, headers, payload: aBounce(to) }), 401)
    await other.close()
    expect(await isEnded()).toBe(false)
  })
})

describe('the reader of bounces', () => {
  it('gives a reason for every damaged message', () => {
    const good = aBounce('bounce+s0123456700000000000000000000000000.0123456789abcdef0123@example.org')
    fc.assert(
      fc.property(fc.nat(good.length), fc.nat(80), fc.string(), (at, length, inserted) => {
        try {
          readBounce(good.slice(0, at) + inserted + good.slice(at + length))
        } catch (error) {
          expect(error).toBeInstanceOf(BounceError)
        }
      }),
      { numRuns: times(300) },
    )
  })

  it('takes less than a second for a megabyte of anything', () => {
    for (const part of [' ', '\n', '\n ', 'a:', '\n--b\n', 'bounce+', 'status: 5.', '"', ';boundary='])
      for (const head of [
        '',
        'Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n',
      ]) {
        const start = performance.now()
        expect(() => readBounce(head + part.repeat(1_000_000 / part.length))).toThrow(BounceError)
        expect(performance.now() - start).toBeLessThan(1_000)
      }
  })
})
