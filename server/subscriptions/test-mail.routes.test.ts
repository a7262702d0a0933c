import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onEngine, type TestDatabase } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { startMailServer } from '#test/server/mail-server.ts'
import { signIn } from '#test/server/signed-in.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { checkDomain, type ResolveTxt } from '../mail/check-domain.ts'

const path = '/api/maps/oak-hills/report-settings/test-email'
const noRecords = Object.assign(new Error('queryTxt ENODATA'), { code: 'ENODATA' })
const failure = Object.assign(new Error('queryTxt ESERVFAIL'), { code: 'ESERVFAIL' })

/** Names without records are rejected, as by the real resolver. */
const resolving =
  (records: Record<string, string[][] | Error>): ResolveTxt =>
  async (name) => {
    const answer = records[name] ?? noRecords
    if (answer instanceof Error) throw answer
    return answer
  }

onEngine('sqlite', 'the test email', (createDatabase) => {
  let database: TestDatabase
  let mail: Awaited<ReturnType<typeof startMailServer>>
  beforeEach(async () => {
    database = await createDatabase()
    await storeClient(database, 'oak-hills')
    mail = await startMailServer()
  })
  afterEach(() => mail.close())

  async function start(
    settings: Record<string, string> = { SMTP_URL: mail.url, MAIL_FROM: 'land@example.org' },
  ) {
    const resolveTxt = resolving({ 'example.org': [['v=spf1 mx -all']], '_dmarc.example.org': failure })
    const app = await startTestApp(database, { settings, resolveTxt })
    const headers = await signIn(database, ['manager:oak-hills'])
    return (email: unknown = 'maya@example.com') => app.post(path, { email }, headers)
  }

  it('is accepted by the mail server, and tells which records the sender has', async () => {
    const send = await start()
    const response = await send()
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({
      problem: null,
      domain: 'example.org',
      spf: 'found',
      dkim: 'unchecked',
      dmarc: 'unknown',
    })
    expect(mail.received.map(({ recipients }) => recipients)).toEqual([['maya@example.com']])
    expect(mail.received[0]?.headers.get('from')).toBe('Oak Hills <land@example.org>')
  })

  it('tells why the mail server did not take it', async () => {
    mail.state.refuse = { code: 550, message: 'No such mailbox' }
    const send = await start()
    expect((await send()).json().problem).toBe('550 No such mailbox')
    mail.state.refuse = { code: 451, message: 'Greylisted' }
    expect((await send()).json().problem).toBe('451 Greylisted')
    const unreachable = await start({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'land@example.org' })
    expect((await unreachable()).json().problem).toBe('It could not be reached.')
  })

  it('is limited to five an hour, needs an address, and a mail server', async () => {
    const send = await start()
    for (const email of ['maya', '', null, 'a@example.org, b@example.org'])
      expect(expectProblem(await send(email), 400).errors?.[0]?.name).toBe('email')
    for (let time = 0; time < 5; time++) expect((await send()).statusCode).toBe(200)
    const refused = await send()
    expect(expectProblem(refused, 429).detail).toMatch(/5 test emails an hour/)
    expect(refused.headers['retry-after']).toBeDefined()
    expect(mail.received).toHaveLength(5)
    expectProblem(await (await start({}))(), 409)
  })
})

describe('records of the domain of a sender', () => {
  const check = (records: Record<string, string[][] | Error>, selector: string | null = 's1') =>
    checkDomain(resolving(records), 'mail.example.org', selector)

  it('are found in several parts, and DMARC at a parent domain', async () => {
    expect(
      await check({
        'mail.example.org': [['other'], ['v=spf1 include:_spf.', 'example.net -all']],
        's1._domainkey.mail.example.org': [['v=DKIM1; k=rsa; ', 'p=MIGf']],
        '_dmarc.example.org': [['v=DMARC1; p=none']],
      }),
    ).toEqual({ spf: 'found', dkim: 'found', dmarc: 'found' })
  })

  it('are missing if there are others, or a revoked key', async () => {
    expect(
      await check({
        'mail.example.org': [['v=spf10'], ['google-site-verification=1']],
        's1._domainkey.mail.example.org': [['v=DKIM1; p=']],
        '_dmarc.mail.example.org': [['v=spf1']],
        '_dmarc.org': [['v=DMARC1; p=none']],
      }),
    ).toEqual({ spf: 'missing', dkim: 'missing', dmarc: 'missing' })
  })

  it('are unknown, not missing, if the resolver fails or is silent for five seconds', async () => {
    expect(await check({ 'mail.example.org': failure, '_dmarc.mail.example.org': failure }, null)).toEqual({
      spf: 'unknown',
      dkim: 'unchecked',
      dmarc: 'unknown',
    })
    vi.useFakeTimers()
    const silent = checkDomain(() => new Promise(() => {}), 'example.org', 's1')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await silent).toEqual({ spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' })
    vi.useRealTimers()
  })
})
