import { afterEach, describe, expect, it, vi } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { expectRefusal } from '#test/server/expect-refusal.ts'
import { passProvider, publicUrl, sessionOf, signInWith, startOidcApp } from '#test/server/oidc-app.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'
import { refusals } from './refusals.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const sessionName = 'poa-session-1'

onEngine('sqlite', 'signing in with an identity provider', (createDatabase) => {
  const start = async (settings = {}) => startOidcApp(await createDatabase(), { settings })

  it('creates a session of a day, in an HttpOnly cookie', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') })
    await using app = await start({ SESSION_IDLE_MINUTES: '1440' })
    const { browser, answer } = await signInWith(app)
    expect(answer.statusCode).toBe(303)
    expect(answer.headers).toMatchObject({ location: '/config/map', 'cache-control': 'no-store' })
    expect(answer.cookies).toEqual([
      {
        name: sessionName,
        value: expect.stringMatching(/^[\w-]{43}$/),
        path: '/',
        httpOnly: true,
        sameSite: 'Lax',
        maxAge: 86_400,
      },
    ])
    expect(await sessionOf(browser)).toEqual({
      person: {
        id: `${app.provider.issuer}#ana`,
        name: 'Ana Ruiz',
        roles: { isAdministrator: true, ofMaps: {} },
      },
      expiresAt: '2026-03-02T12:00:00.000Z',
      isDemo: false,
    })

    vi.setSystemTime(new Date('2026-03-02T11:59:59Z'))
    expect(await sessionOf(browser)).toMatchObject({ person: { name: 'Ana Ruiz' } })
    vi.setSystemTime(new Date('2026-03-02T12:00:00Z'))
    expect(await sessionOf(browser)).toMatchObject({ person: null, expiresAt: null })
  })

  it('returns to the page where it started', async () => {
    await using app = await start()
    const { answer } = await signInWith(
      app,
      {},
      '/sign-in?returnTo=%2Fconfig%2Fmap%2Fpine-ridge%2Ffeatures%3Fa%3D1',
    )
    expect(answer.headers.location).toBe('/config/map/pine-ridge/features?a=1')
  })

  it('returns to a page of ours instead of another host', async () => {
    await using app = await start()
    const { answer } = await signInWith(app, {}, '/sign-in?returnTo=%2F%2Fevil.example')
    expect(answer.headers.location).toBe('/config/map')
  })

  it('creates a new session each time, and ends the previous one', async () => {
    await using app = await start()
    const { browser } = await signInWith(app)
    const first = browser.cookies.get(sessionName)
    await browser.ask(await passProvider(browser))
    expect(browser.cookies.get(sessionName)).not.toBe(first)
    const stolen = await app.get('/api/session', { cookie: `${sessionName}=${first}` })
    expect(stolen.json()).toMatchObject({ person: null })
  })

  it('works in several tabs at once, finished in any order', async () => {
    await using app = await start()
    const browser = app.openBrowser()
    const first = await passProvider(browser, '/sign-in?returnTo=%2Fmap%2Ffirst')
    const second = await passProvider(browser, '/sign-in?returnTo=%2Fmap%2Fsecond')
    expect((await browser.ask(second)).headers.location).toBe('/map/second')
    expect((await browser.ask(first)).headers.location).toBe('/map/first')
  })

  describe('accepts an answer', () => {
    it('once', async () => {
      await using app = await start()
      const browser = app.openBrowser()
      const callback = await passProvider(browser)
      expect((await browser.ask(callback)).statusCode).toBe(303)
      expectRefusal(await browser.ask(callback), 'unknown-sign-in')
    })

    it('once, even if both arrive together', async () => {
      await using app = await start()
      const browser = app.openBrowser()
      const callback = await passProvider(browser)
      const answers = await Promise.all([browser.ask(callback), browser.ask(callback)])
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 400])
    })

    it('in the browser that started the sign-in', async () => {
      await using app = await start()
      const callback = await passProvider(app.openBrowser())
      const other = app.openBrowser()
      expectRefusal(await other.ask(callback), 'unknown-sign-in')
      await passProvider(other)
      expectRefusal(await other.ask(callback), 'unknown-sign-in')
    })

    it('within 15 minutes', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') })
      await using app = await start()
      const [first, second] = [app.openBrowser(), app.openBrowser()]
      const callbacks = [await passProvider(first), await passProvider(second)] as const
      vi.setSystemTime(new Date('2026-03-01T12:14:59Z'))
      expect((await first.ask(callbacks[0])).statusCode).toBe(303)
      vi.setSystemTime(new Date('2026-03-01T12:15:00Z'))
      expectRefusal(await second.ask(callbacks[1]), 'unknown-sign-in')
    })

    it('unless the oldest sign-in was dropped for a new one', async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') })
      const database = await createDatabase()
      await using app = await startOidcApp(database)
      await passProvider(app.openBrowser())
      vi.setSystemTime(new Date('2026-03-01T12:15:00Z'))
      await passProvider(app.openBrowser())
      expect(await database.read.selectFrom('sign_ins').selectAll().execute()).toHaveLength(1)
    })

    it.each<[what: string, spoil: (parameters: URLSearchParams) => void]>([
      ['no state', (parameters) => parameters.delete('state')],
      ['another state', (parameters) => parameters.set('state', 'A'.repeat(43))],
      [
        'a state with one letter more',
        (parameters) => parameters.set('state', `${parameters.get('state')}A`),
      ],
      ['the state twice', (parameters) => parameters.append('state', parameters.get('state') ?? '')],
    ])('not with %s', async (_what, spoil) => {
      await using app = await start()
      const { browser, answer } = await signInWith(app, { callback: spoil })
      expectRefusal(answer, 'unknown-sign-in')
      expect(await sessionOf(browser)).toMatchObject({ person: null })
    })
  })

  it('signs out, and returns the sign-out URL of the provider', async () => {
    await using app = await start()
    const { browser } = await signInWith(app)
    const stolen = browser.cookies.get(sessionName)
    const answer = await browser.signOut()
    expect(answer.cookies).toMatchObject([
      { name: sessionName, value: '', path: '/' },
      { name: 'poa-sign-out-1', path: '/', httpOnly: true, sameSite: 'Lax', maxAge: 300 },
    ])
    expect(answer.json()).toEqual({ redirectTo: '/sign-out' })
    const redirect = await browser.ask('/sign-out')
    expect(redirect.statusCode).toBe(303)
    expect(redirect.headers['cache-control']).toBe('no-store')
    const redirectTo = new URL(String(redirect.headers.location))
    expect(`${redirectTo.origin}${redirectTo.pathname}`).toBe(`${app.provider.issuer}/end`)
    expect(Object.fromEntries(redirectTo.searchParams)).toEqual({
      id_token_hint: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      post_logout_redirect_uri: `${publicUrl}/config/map`,
      client_id: app.provider.clientId,
    })
    const asThief = await app.get('/api/session', { cookie: `${sessionName}=${stolen}` })
    expect(asThief.json()).toMatchObject({ person: null })
    expect((await browser.signOut()).json()).toEqual({ redirectTo: '/config/map' })
    for (const later of [browser, app.openBrowser()])
      expect((await later.ask('/sign-out')).headers.location).toBe('/config/map')
  })

  it('sends the provider’s session only in the redirect', async () => {
    const database = await createDatabase()
    await using app = await startOidcApp(database)
    const { browser } = await signInWith(app)
    const [session] = await database.read.selectFrom('sessions').select('id_token').execute()
    const answers = [
      await browser.ask('/api/session'),
      await browser.signOut(),
      await browser.ask('/sign-out'),
    ]
    const whole = answers.map(({ headers, body }) => JSON.stringify(headers) + body)
    expect(whole.map((text) => text.includes('id_token_hint'))).toEqual([false, false, true])
    expect(whole.map((text) => text.includes(session?.id_token ?? 'none'))).toEqual([false, false, true])
    expect(answers[2]?.body).toBe('')
  })

  it('ends a session that is unused for eight hours', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T08:00:00Z') })
    await using app = await start()
    const { browser } = await signInWith(app)
    const at = (time: string) => vi.setSystemTime(new Date(`2026-03-01T${time}Z`))
    expect(await sessionOf(browser)).toMatchObject({ expiresAt: '2026-03-01T16:00:00.000Z' })
    at('15:59:59')
    expect(await sessionOf(browser)).toMatchObject({ expiresAt: '2026-03-01T16:00:00.000Z' })
    expect((await browser.askUnattended('/api/clients?mine=true')).statusCode).toBe(200)
    expect(await sessionOf(browser)).toMatchObject({ expiresAt: '2026-03-01T16:00:00.000Z' })
    await browser.ask('/api/clients?mine=true')
    expect(await sessionOf(browser)).toMatchObject({ expiresAt: '2026-03-01T23:59:59.000Z' })
    at('23:59:58')
    expect((await browser.ask('/api/clients?mine=true')).statusCode).toBe(200)
    vi.setSystemTime(new Date('2026-03-02T06:00:00Z'))
    await browser.ask('/api/clients?mine=true')
    expect(await sessionOf(browser)).toMatchObject({ expiresAt: '2026-03-02T08:00:00.000Z' })
    vi.setSystemTime(new Date('2026-03-02T08:00:00Z'))
    expect(await sessionOf(browser)).toMatchObject({ person: null })
    const other = (await signInWith(app)).browser
    vi.setSystemTime(new Date('2026-03-02T16:00:00Z'))
    expect(await sessionOf(other)).toMatchObject({ person: null })
    expect((await other.ask('/api/clients?mine=true')).statusCode).toBe(401)
  })

  it('ends a session after the configured time', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T08:00:00Z') })
    await using app = await start({ SESSION_IDLE_MINUTES: '5' })
    const { browser } = await signInWith(app)
    expect(await sessionOf(browser)).toMatchObject({ expiresAt: '2026-03-01T08:05:00.000Z' })
  })

  it('signs out in every browser of the person, and of no other', async () => {
    await using app = await start()
    const here = (await signInWith(app)).browser
    const there = (await signInWith(app)).browser
    const other = (await signInWith(app, { claims: { sub: 'eve', name: 'Eve' } })).browser
    const answer = await here.signOut('/api/sessions')
    expect(answer.json()).toEqual({ redirectTo: '/sign-out' })
    for (const browser of [here, there]) expect(await sessionOf(browser)).toMatchObject({ person: null })
    expect(await sessionOf(other)).toMatchObject({ person: { name: 'Eve' } })
    expect(String((await here.ask('/sign-out')).headers.location)).toContain(`${app.provider.issuer}/end?`)
    expectProblem(await there.signOut('/api/sessions'), 401)
  })

  it('signs out even if the provider has no sign-out', async () => {
    await using app = await start()
    const { browser } = await signInWith(app, { metadata: { end_session_endpoint: undefined } })
    expect((await browser.signOut()).json()).toEqual({ redirectTo: '/config/map' })
    expect(await sessionOf(browser)).toMatchObject({ person: null })
  })

  it('in a popup notifies the page and closes', async () => {
    await using app = await start()
    const { browser, answer } = await signInWith(app, {}, '/sign-in?popup=1&returnTo=%2Fmap')
    expect(answer.statusCode).toBe(200)
    expect(answer.body).toContain('You can close this window.')
    const [, nonce] = /<script nonce="(\w+)">new BroadcastChannel\('poa-session'\)/.exec(answer.body) ?? []
    expect(answer.headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonce}'`)
    expect(await sessionOf(browser)).toMatchObject({ person: { name: 'Ana Ruiz' } })

    const refused = await signInWith(app, { signedWith: 'nothing' }, '/sign-in?popup=1&returnTo=%2Fmap')
    expectRefusal(refused.answer, 'wrong-signature', '/sign-in?returnTo=%2Fmap&popup=1')
  })

  it('reports an unreachable database', async () => {
    const database = await createDatabase()
    const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }))
    await using app = await startOidcApp({ ...database, write: away })
    const answer = await app.openBrowser().ask('/sign-in?returnTo=%2Fmap')
    expectRefusal(answer, 'database-away', '/sign-in?returnTo=%2Fmap')
    expect(answer.headers['retry-after']).toBe('10')
  })

  it('is rate-limited by address', async () => {
    await using app = await start({ RATE_LIMIT_PER_MINUTE: '60' })
    const browser = app.openBrowser()
    for (let count = 0; count < 3; count++) expect((await browser.ask('/sign-in')).statusCode).toBe(303)
    const refused = await browser.ask('/sign-in?returnTo=%2Fmap')
    expectRefusal(refused, 'too-many', '/sign-in?returnTo=%2Fmap')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await browser.ask('/api/clients')).statusCode).toBe(200)
  })

  it.each<Record<string, string>>([{ PUBLIC_URL: 'https://land.example' }, { NODE_ENV: 'production' }])(
    'explains the setup without a provider: %j',
    async (settings) => {
      await using app = await startTestApp(await createDatabase(), { settings })
      const host = new URL(settings.PUBLIC_URL ?? 'http://localhost:3000').host
      const answer = await app.get('/sign-in', { host })
      expectRefusal(answer, 'not-set-up', null)
      expect(answer.body).toContain('docs/configuration.md')
      expect(answer.headers['retry-after']).toBeUndefined()
      expect((await app.get('/demo-identity/.well-known/openid-configuration')).statusCode).toBe(404)
    },
  )

  it('over HTTPS limits its cookies to this host', async () => {
    await using app = await start({ PUBLIC_URL: 'https://land.example' })
    const begun = await app.get('/sign-in', { host: 'land.example' })
    expect(begun.cookies).toMatchObject([
      { name: '__Host-poa-sign-in', path: '/', secure: true, httpOnly: true, sameSite: 'Lax', maxAge: 900 },
    ])
    const location = new URL(String(begun.headers.location))
    expect(location.searchParams.get('redirect_uri')).toBe('https://land.example/sign-in/callback')
    const returned = await fetch(location, { redirect: 'manual' })
    const callback = new URL(returned.headers.get('location') ?? '')
    const answer = await app.get(`${callback.pathname}${callback.search}`, {
      host: 'land.example',
      cookie: `__Host-poa-sign-in=${begun.cookies[0]?.value}`,
    })
    expect(answer.cookies).toMatchObject([
      { name: '__Host-poa-session', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' },
    ])
  })

  it('redirects once to the host name that the provider expects', async () => {
    await using app = await start()
    const moved = await app.get('/sign-in?returnTo=%2Fmap&popup=1', { host: '127.0.0.1:1' })
    expect(moved.statusCode).toBe(303)
    expect(moved.headers.location).toBe(`${publicUrl}/sign-in?returnTo=%2Fmap&popup=1&moved=1`)
    expect(moved.cookies).toEqual([])
    const again = await app.get('/sign-in?returnTo=%2Fmap&moved=1', { host: '127.0.0.1:1' })
    expect(again.headers.location).toContain(`${app.provider.issuer}/authorize`)
  })

  it.each(['/sign-in/', '/sign-in/elsewhere', '/demo-identity', '/demo-identity/elsewhere'])(
    'has no page at %s',
    async (url) => {
      await using app = await start()
      expectRefusal(await app.openBrowser().ask(url), 'not-there', null)
    },
  )
})

it('explains each refusal', () => {
  const texts = Object.values(refusals).flatMap(({ heading, text }) => [heading, text])
  expect(new Set(texts).size).toBe(texts.length)
})
