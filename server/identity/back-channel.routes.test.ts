import { afterEach, describe, expect, it, vi } from 'vitest'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import type { CookieBrowser } from '#test/server/cookie-browser.ts'
import type { Misbehaviour } from '#test/server/hostile-provider.ts'
import { type OidcApp, sessionOf, signInWith, startOidcApp } from '#test/server/oidc-app.ts'
import { startProvider } from '#test/server/provider.ts'
import { expectProblem, startTestApp } from '#test/server/test-app.ts'

afterEach(() => vi.useRealTimers())

const path = '/sign-in/back-channel-logout'

function tell(app: Pick<OidcApp, 'send'>, form: string | Record<string, string>, headers = {}) {
  return app.send({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
  })
}

const isIn = async (browser: CookieBrowser) => (await sessionOf(browser)).person !== null
const arrive = async (app: OidcApp, claims: Record<string, unknown> = {}) =>
  (await signInWith(app, { claims })).browser

onEachEngine('a sign-out by the identity provider', (createDatabase) => {
  const start = async () => startOidcApp(await createDatabase())

  it('ends all sessions of one person', async () => {
    await using app = await start()
    const browsers = [await arrive(app), await arrive(app, { sid: 's1' }), await arrive(app, { sub: 'eve' })]
    const answer = await tell(app, { logout_token: app.provider.logoutToken() })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(await Promise.all(browsers.map(isIn))).toEqual([false, false, true])
  })

  it.each<[what: string, claims: Record<string, unknown>]>([
    ['by its name there', { sub: undefined, sid: 's1' }],
    ['by its name there and its person', { sid: 's1' }],
  ])('ends one session, %s', async (_what, claims) => {
    await using app = await start()
    const browsers = [await arrive(app, { sid: 's1' }), await arrive(app, { sid: 's2' })]
    expect((await tell(app, { logout_token: app.provider.logoutToken(claims) })).statusCode).toBe(200)
    expect(await Promise.all(browsers.map(isIn))).toEqual([false, true])
  })

  it('ends the sessions of a person without a name in the token', async () => {
    await using app = await start()
    const browsers = [await arrive(app), await arrive(app, { sub: 'eve' })]
    await tell(app, { logout_token: app.provider.logoutToken({ sid: 's1' }) })
    expect(await Promise.all(browsers.map(isIn))).toEqual([false, true])
  })

  it('is accepted once', async () => {
    await using app = await start()
    const token = app.provider.logoutToken()
    const answers = await Promise.all([1, 2].map(() => tell(app, { logout_token: token })))
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400])
    const browser = await arrive(app)
    const again = await tell(app, { logout_token: token })
    expect(again.statusCode).toBe(400)
    expect(again.headers['cache-control']).toBe('no-store')
    expect(again.json()).toEqual({
      error: 'invalid_request',
      error_description: 'this logout_token was used already',
    })
    expect(await isIn(browser)).toBe(true)
  })

  it('may name a person who is not signed in', async () => {
    await using app = await start()
    const claims = { sub: 'nobody', sid: 'none' }
    expect((await tell(app, { logout_token: app.provider.logoutToken(claims) })).statusCode).toBe(200)
  })
})

onEngine('sqlite', 'a forged sign-out', (createDatabase) => {
  const start = async () => startOidcApp(await createDatabase())
  const events = (value: unknown) => ({ events: value })
  const event = 'http://schemas.openid.net/event/backchannel-logout'

  it.each<[what: string, claims: Record<string, unknown>, how?: Misbehaviour, type?: string]>([
    ['another signature', {}, { signedWith: 'a key of somebody else' }],
    ['no signature', {}, { signedWith: 'nothing' }],
    ['a signature by the secret that both know', {}, { signedWith: 'the client secret' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['no issuer', { iss: undefined }],
    ['another audience', { aud: 'else' }],
    ['no audience', { aud: undefined }],
    ['an end that is past', { exp: 1 }],
    ['no time', { iat: undefined }],
    ['a time long ago', { iat: Math.floor(Date.now() / 1000) - 3600 }],
    ['a time to come', { iat: Math.floor(Date.now() / 1000) + 3600 }],
    ['a nonce', { nonce: 'a' }],
    ['no events', events(undefined)],
    ['events that are a word', events(event)],
    ['events that are none', events({})],
    ['another event', events({ 'https://schemas.example/else': {} })],
    ['an event that is a word', events({ [event]: 'yes' })],
    ['no id', { jti: undefined }],
    ['an id that is a number', { jti: 7 }],
    ['nobody', { sub: undefined }],
    ['a person that is a number', { sub: 7 }],
    ['a session that is a list', { sid: ['s1'] }],
    ['a session without a name', { sub: undefined, sid: '' }],
    ['another type', {}, {}, 'at+jwt'],
  ])('is rejected with %s', async (_what, claims, how, type) => {
    await using app = await start()
    const browser = await arrive(app, { sid: 's1' })
    app.provider.misbehave(how ?? {})
    const answer = await tell(app, { logout_token: app.provider.logoutToken(claims, type) })
    expect(answer.statusCode, answer.body).toBe(400)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual({
      error: 'invalid_request',
      error_description: expect.stringMatching(/\S/),
    })
    expect(await isIn(browser)).toBe(true)
  })

  it.each([
    '',
    'logout_token=',
    'logout_token=a.b.c',
    'logout_token=a&logout_token=b',
    'token=a',
    '%',
    'a=b=c',
  ])('is rejected as %j', async (form) => {
    await using app = await start()
    expect((await tell(app, form)).statusCode).toBe(400)
  })

  it('is rejected unless it is a form, and without an external provider', async () => {
    await using app = await start()
    expectProblem(await tell(app, '{}', { 'content-type': 'application/json' }), 415)
    expectProblem(await tell(app, `logout_token=${'a'.repeat(60_000)}`), 413)
    await using without = await startTestApp(await createDatabase(), { settings: { NODE_ENV: 'production' } })
    expectProblem(await tell(without, 'logout_token=a'), 404)
  })

  it('is accepted by its signature, from any address', async () => {
    await using app = await start()
    const browser = await arrive(app)
    const headers = { origin: 'https://login.example', 'sec-fetch-site': 'cross-site' }
    expect((await tell(app, { logout_token: app.provider.logoutToken() }, headers)).statusCode).toBe(200)
    expect(await isIn(browser)).toBe(false)
  })

  it('is rejected if the provider’s keys are unreachable', async () => {
    await using app = await start()
    const browser = await arrive(app)
    app.provider.misbehave({ discovery: { status: 503, text: '' }, keys: { status: 503, text: '' } })
    expect((await tell(app, { logout_token: app.provider.logoutToken() })).statusCode).toBe(400)
    expect(await isIn(browser)).toBe(true)
  })
})

onEngine('sqlite', 'an independent provider', (createDatabase) => {
  it('ends our session after a sign-out at the provider', async () => {
    await using provider = await startProvider()
    await using app = await startTestApp(await createDatabase(), { settings: provider.settings })
    await app.app.listen({ port: provider.appPort, host: '127.0.0.1' })
    const [first, second] = [provider.openBrowser(), provider.openBrowser()]
    for (const browser of [first, second]) {
      await browser.visit(`${provider.publicUrl}/sign-in?returnTo=%2Fhealth%2Flive`)
      expect((await browser.visit(`${provider.publicUrl}/api/session`)).body).toContain('"name":"Ana Ruiz"')
    }
    const queries = await first.visit(`${provider.issuer}/session/end`)
    const xsrf = /name="xsrf" value="(\w+)"/.exec(queries.body)?.[1] ?? ''
    const done = await first.visit(`${provider.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
    expect(done.status).toBe(200)
    expect((await first.visit(`${provider.publicUrl}/api/session`)).body).toContain('"person":null')
    expect((await second.visit(`${provider.publicUrl}/api/session`)).body).toContain('"name":"Ana Ruiz"')
  })
})

describe('the sign-out address', () => {
  it('is documented', async () => {
    const { readFileSync } = await import('node:fs')
    expect(readFileSync('docs/operations.md', 'utf8')).toContain(`https://poa.example.org${path}`)
  })
})
