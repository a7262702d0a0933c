import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { expectRefusal } from '#test/server/expect-refusal.ts'
import { json, type Misbehaviour, startHostileProvider } from '#test/server/hostile-provider.ts'
import { type OidcApp, passProvider, sessionOf, signInWith, startOidcApp } from '#test/server/oidc-app.ts'
import { startServer } from '#test/server/server-process.ts'
import { clockLeewaySeconds, tokenRequestSeconds } from './identity-provider.ts'
import { type Reason, refusals } from './refusals.ts'

const noon = Date.parse('2026-03-01T12:00:00Z') / 1000

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

onEngine('sqlite', 'an identity provider', (createDatabase) => {
  const start = async (settings = {}) => startOidcApp(await createDatabase(), { settings })

  describe('does not sign in', () => {
    let app: OidcApp
    beforeAll(async () => {
      app = await start()
    })
    afterAll(() => app.close())

    it.each<[what: string, how: Misbehaviour, reason: Reason]>([
      ['another signature', { signedWith: 'a key of somebody else' }, 'wrong-signature'],
      ['no signature', { signedWith: 'nothing' }, 'wrong-signature'],
      ['a signature by the secret that both know', { signedWith: 'the client secret' }, 'wrong-signature'],
      ['another nonce', { claims: { nonce: 'another' } }, 'wrong-answer'],
      ['no nonce', { claims: { nonce: undefined } }, 'unusable-answer'],
      ['an answer for another program', { claims: { aud: 'somebody-else' } }, 'wrong-answer'],
      [
        'an answer for another program too',
        { claims: { aud: ['land & maps', 'else'], azp: 'else' } },
        'wrong-answer',
      ],
      ['an answer of another provider', { claims: { iss: 'https://evil.example' } }, 'wrong-issuer'],
      [
        'another provider’s name in the address',
        { callback: (is) => is.set('iss', 'https://evil.example') },
        'wrong-issuer',
      ],
      ['no name of its own in the address', { callback: (is) => is.delete('iss') }, 'wrong-answer'],
      ['no person', { claims: { sub: undefined } }, 'unusable-answer'],
      ['a person that is a number', { claims: { sub: 7 } }, 'unusable-answer'],
      ['a person with a line break', { claims: { sub: 'a\nb' } }, 'unusable-answer'],
      ['a person of endless name', { claims: { sub: 'a'.repeat(256) } }, 'unusable-answer'],
      ['no ID token', { withoutIdToken: true }, 'unusable-answer'],
      ['no code', { callback: (is) => is.delete('code') }, 'unusable-answer'],
      ['two codes', { callback: (is) => is.append('code', 'two') }, 'unusable-answer'],
      ['the code of another sign-in', { callback: (is) => is.set('code', 'else') }, 'used-code'],
      [
        'a token that is none',
        { token: json({ access_token: 'a', token_type: 'bearer', id_token: 'a.b.c' }) },
        'unusable-answer',
      ],
      ['HTML instead of tokens', { token: { type: 'text/html', text: '<h1>Hello</h1>' } }, 'unusable-answer'],
      ['half a JSON instead of tokens', { token: { text: '{"access' } }, 'unusable-answer'],
      ['a redirect instead of tokens', { token: { status: 302, text: '' } }, 'unusable-answer'],
      ['a failure instead of tokens', { token: { status: 500, text: '' } }, 'provider-away'],
      ['a wrong secret', { token: json({ error: 'invalid_client' }, 401) }, 'provider-refused'],
      ['access denied', { callback: deny('access_denied') }, 'access-denied'],
      ['an error of its own', { callback: deny('server_error') }, 'provider-refused'],
    ])('with %s in its answer', (_what, how, reason) => expectNoSession(app, how, reason))

    // Each needs its own server, which caches keys.
    it.each<[what: string, how: Misbehaviour, reason: Reason]>([
      ['keys that are none', { keys: json({ keys: [] }) }, 'wrong-signature'],
      ['unreadable keys', { keys: { text: '<html>' } }, 'unusable-answer'],
    ])('with %s', async (_what, how, reason) => {
      await using fresh = await start()
      await expectNoSession(fresh, how, reason)
    })
  })

  it.each<[where: string, how: Misbehaviour]>([
    ['its metadata', { metadata: { issuer: 'https://else.example/realm' } }],
    ['its tokens', { claims: { iss: 'https://else.example/realm' } }],
    ['the address', { callback: (is) => is.set('iss', 'https://else.example/realm') }],
  ])('that names another issuer in %s causes a page and a log entry with both', async (_where, how) => {
    const database = await createDatabase()
    const dataDirectory = database.location.dataDirectory
    await using provider = await startHostileProvider()
    provider.misbehave(how)
    await using server = await startServer({
      DATA_DIR: dataDirectory,
      PUBLIC_URL: 'http://localhost:3000',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
    })
    const ask = (path: string, cookie = '') =>
      fetch(`${server.url}${path}`, { redirect: 'manual', headers: { cookie, host: 'localhost:3000' } })
    let answer = await ask('/sign-in?moved=1')
    if (answer.status === 303) {
      const [cookie = ''] = answer.headers.getSetCookie().map((one) => one.split(';')[0])
      const passed = await fetch(answer.headers.get('location') ?? '', { redirect: 'manual' })
      const callback = new URL(passed.headers.get('location') ?? '')
      answer = await ask(`${callback.pathname}${callback.search}`, cookie)
    }
    expect(answer.status).toBe(502)
    const page = await answer.text()
    expect(page).toContain(`<h1>${refusals['wrong-issuer'].heading}</h1>`)
    expect(page).toMatch(new RegExp(`Expected: <code>${provider.issuer}/?</code>`))
    expect(page).toContain('Received: <code>https://else.example/realm</code>')
    const [line = ''] = await server.waitFor(/^.*sign-in was refused.*$/m)
    expect(JSON.parse(line)).toMatchObject({
      expected: expect.stringContaining(provider.issuer),
      received: 'https://else.example/realm',
    })
  })

  it('cannot put its own text on our pages as an issuer', async () => {
    await using app = await start()
    const { answer } = await signInWith(app, { claims: { iss: '<b>Call nobody' } })
    expectRefusal(answer, 'wrong-issuer')
    expect(answer.body).not.toContain('Call nobody')
  })

  it('cannot put its own text on our pages', async () => {
    await using app = await start()
    const { answer } = await signInWith(app, { callback: deny('<b>injected', '<script>alert(1)</script>') })
    expectRefusal(answer, 'provider-refused')
    expect(answer.body).not.toMatch(/injected|alert/)
  })

  it.each<[claim: string, offset: number, isAccepted: boolean]>([
    ['exp', -58, true],
    ['exp', -62, false],
    ['nbf', 58, true],
    ['nbf', 62, false],
    ['iat', 58, true],
    ['iat', 62, false],
    ['iat', 3600, false],
  ])('may have a clock that is a minute off: %s %d seconds', async (claim, offset, isAccepted) => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon * 1000 })
    await using app = await start()
    const { answer } = await signInWith(app, { claims: { [claim]: noon + offset } })
    if (isAccepted) expect(answer.statusCode).toBe(303)
    else expectRefusal(answer, 'wrong-clock')
  })

  it('times out after 10 seconds', async () => {
    expect([tokenRequestSeconds, clockLeewaySeconds]).toEqual([10, 60])
    const clocks: AbortController[] = []
    const waits = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      const clock = new AbortController()
      clocks.push(clock)
      return clock.signal
    })
    const endTime = () => {
      for (const clock of clocks) clock.abort(new DOMException('The time is over.', 'TimeoutError'))
    }
    await using app = await start()
    const { answer } = await signInWith(app, { token: 'hang', onHang: endTime })
    expectRefusal(answer, 'slow-provider')
    expect(new Set(waits.mock.calls.flat())).toEqual(new Set([10_000]))
  })

  it.each<[what: string, how: Misbehaviour, reason: Reason]>([
    ['fails', { discovery: { status: 503, text: '' } }, 'provider-away'],
    ['answers nonsense', { discovery: { text: 'nonsense' } }, 'unusable-answer'],
    ['has another name', { metadata: { issuer: 'https://evil.example' } }, 'wrong-issuer'],
    ['has no place to sign in', { metadata: { authorization_endpoint: undefined } }, 'unusable-answer'],
    ['has no keys', { metadata: { jwks_uri: undefined } }, 'unusable-answer'],
  ])('that %s is contacted again at the next sign-in', async (_what, how, reason) => {
    await using app = await start()
    app.provider.misbehave(how)
    const refused = await app.openBrowser().ask('/sign-in?returnTo=%2Fmap')
    expectRefusal(refused, reason, '/sign-in?returnTo=%2Fmap')
    if (reason === 'provider-away') expect(refused.headers['retry-after']).toBe('10')
    expect((await signInWith(app)).answer.statusCode).toBe(303)
  })

  it('does not prevent sign-out when it is unreachable', async () => {
    const database = await createDatabase()
    await using before = await startOidcApp(database)
    const { browser } = await signInWith(before)
    await using app = await startOidcApp(database, { settings: { OIDC_ISSUER: 'http://127.0.0.1:1' } })
    const later = app.openBrowser(browser)
    expect(await sessionOf(later)).toMatchObject({ person: { name: 'Ana Ruiz' } })
    expect((await later.signOut()).json()).toEqual({ redirectTo: '/config/map' })
    expect(await sessionOf(later)).toMatchObject({ person: null })
    expectRefusal(await later.ask('/sign-in'), 'provider-away')
  })

  describe('reads the roles', () => {
    const roles = async (how: Misbehaviour, settings: Record<string, string>) => {
      await using app = await start(settings)
      const { browser } = await signInWith(app, how)
      return (await sessionOf(browser)).person?.roles
    }
    const editor = { isAdministrator: false, ofMaps: { 'oak-hills': 'editor' } }
    const nobody = { isAdministrator: false, ofMaps: {} }

    it.each<[what: string, how: Misbehaviour, claim: string, roles: object]>([
      ['in the claim that is named', { claims: { roles: ['editor:oak-hills', 'else'] } }, 'roles', editor],
      [
        'in a claim within a claim',
        { claims: { realm: { roles: ['editor:oak-hills'] } } },
        'realm.roles',
        editor,
      ],
      [
        'in a claim with dots',
        { claims: { 'https://x.example/roles': 'editor:oak-hills' } },
        'https://x.example/roles',
        editor,
      ],
      [
        'at its userinfo address',
        { userInfo: json({ sub: 'ana', roles: ['editor:oak-hills'] }) },
        'roles',
        editor,
      ],
      [
        'in the ID token first',
        { claims: { name: undefined, roles: [] }, userInfo: json({ sub: 'ana', roles: ['administrator'] }) },
        'roles',
        nobody,
      ],
      ['nowhere', {}, 'roles', nobody],
      [
        'nowhere, without a userinfo address',
        { metadata: { userinfo_endpoint: undefined } },
        'roles',
        nobody,
      ],
    ])('%s', async (_what, how, claim, expected) => {
      expect(await roles(how, { OIDC_ROLES_CLAIM: claim })).toEqual(expected)
    })

    it('rejects user info of another subject', async () => {
      await using app = await start({ OIDC_ROLES_CLAIM: 'roles' })
      const { answer } = await signInWith(app, { userInfo: json({ sub: 'eve', roles: ['administrator'] }) })
      expectRefusal(answer, 'wrong-answer')
    })
  })

  it('may return the name in the user info only', async () => {
    await using app = await start()
    const { browser } = await signInWith(app, { claims: { name: undefined } })
    expect((await sessionOf(browser)).person.name).toBe('Ana of Userinfo')
  })

  it.each([
    [{}, 'header'],
    [{ OIDC_CLIENT_AUTHENTICATION: 'client_secret_post' }, 'body'],
    [{ OIDC_CLIENT_SECRET: '' }, 'none'],
  ])('authenticates the client: %j', async (settings, way) => {
    await using app = await start(settings)
    expect((await signInWith(app)).answer.statusCode).toBe(303)
    expect(app.provider.authentication()).toBe(way)
  })

  it('gets the scopes of OIDC_SCOPE', async () => {
    await using app = await start({ OIDC_SCOPE: 'openid roles' })
    const begun = await app.openBrowser().ask('/sign-in')
    const requests = new URL(String(begun.headers.location)).searchParams
    expect(Object.fromEntries(requests)).toMatchObject({
      response_type: 'code',
      scope: 'openid roles',
      client_id: app.provider.clientId,
      code_challenge_method: 'S256',
    })
    expect(await passProvider(app.openBrowser())).toContain('/sign-in/callback?')
  })
})

async function expectNoSession(app: OidcApp, how: Misbehaviour, reason: Reason) {
  const { browser, answer } = await signInWith(app, how, '/sign-in?returnTo=%2Fmap')
  expectRefusal(answer, reason, '/sign-in?returnTo=%2Fmap')
  expect(answer.cookies).toEqual([])
  expect(await sessionOf(browser)).toMatchObject({ person: null })
}

function deny(error: string, description = 'no') {
  return (parameters: URLSearchParams) => {
    parameters.delete('code')
    parameters.set('error', error)
    parameters.set('error_description', description)
  }
}
