import { connect } from 'node:net'
import type { InjectOptions } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { makeStubPage } from '#test/page/stub-page.ts'
import { openBrowser } from '#test/server/cookie-browser.ts'
import { expectRefusal } from '#test/server/expect-refusal.ts'
import { sessionOf } from '#test/server/oidc-app.ts'
import { startTestApp, type TestApp } from '#test/server/test-app.ts'

const page = makeStubPage()
afterAll(() => page.remove())

const origin = 'http://localhost:1'
const options = { settings: { PUBLIC_URL: origin }, pageDirectory: page.folder }
const pineRidge = (role: string) => ({ isAdministrator: false, ofMaps: { 'pine-ridge': role } })

async function openChoice(app: TestApp, signIn = '/sign-in') {
  const browser = openBrowser(app, origin)
  const choice = await browser.visit(signIn)
  expect(choice.statusCode, choice.body).toBe(200)
  expect(choice.body).toContain('<h1>Choose a demo user</h1>')
  const address = browser.url().href
  return { browser, choice, answer: (form: Record<string, string>) => browser.visit(address, form) }
}

onEngine('sqlite', 'the demo sign-in', (createDatabase) => {
  const start = async () => startTestApp(await createDatabase(), options)

  it('signs in to the configuration area, and out', async () => {
    await using app = await start()
    const { browser, answer } = await openChoice(app)
    const arrived = await answer({ person: 'daniel' })
    expect(browser.url().href).toBe(`${origin}/config/map`)
    expect(arrived.statusCode).toBe(200)
    expect(await sessionOf(browser)).toEqual({
      person: { id: `${origin}/demo-identity#daniel`, name: 'Daniel Okafor', roles: pineRidge('manager') },
      expiresAt: expect.any(String),
      isDemo: true,
    })

    expect((await browser.visit('/sign-in')).body).toContain('<title>POA</title>')
    const stolen = new Map(browser.cookies)
    const { redirectTo } = (await browser.signOut()).json()
    expect(redirectTo).toBe('/sign-out')
    await browser.visit(redirectTo)
    expect(browser.url().href).toBe(`${origin}/config/map`)
    expect(await sessionOf(browser)).toMatchObject({ person: null })
    expect((await browser.visit('/sign-in')).body).toContain('Choose a demo user')

    const cookie = [...stolen].map(([name, value]) => `${name}=${value}`).join('; ')
    expect((await app.get('/api/session', { cookie })).json()).toMatchObject({ person: null })
    const again = await app.get('/sign-in', { cookie, host: 'localhost:1' })
    const resumed = new URL(String(again.headers.location))
    const unresumed = await app.get(`${resumed.pathname}${resumed.search}`, { cookie, host: 'localhost:1' })
    expect(unresumed.headers.location).toContain('/demo-identity/choose/')
  })

  it('rejects a callback that was used', async () => {
    await using app = await start()
    const { browser } = await openChoice(app)
    const chosen = await browser.ask(browser.url().href, { person: 'grace' })
    const resumed = await browser.ask(String(chosen.headers.location))
    const callback = String(resumed.headers.location)
    expect(callback).toContain(`${origin}/sign-in/callback?code=`)
    expect((await browser.ask(callback)).headers.location).toBe('/config/map')
    expectRefusal(await browser.ask(callback), 'unknown-sign-in')
  })
})

onEngine('sqlite', 'the demo provider', (createDatabase) => {
  const start = async (settings = {}) =>
    startTestApp(await createDatabase(), { ...options, settings: { ...options.settings, ...settings } })

  it.each([
    ['grace', 'Grace Whitfield', { isAdministrator: true, ofMaps: {} }],
    ['daniel', 'Daniel Okafor', pineRidge('manager')],
    ['rosa', 'Rosa Delgado', pineRidge('editor')],
    ['tom', 'Tom Brandt', { isAdministrator: false, ofMaps: {} }],
  ])('signs in %s, by a click and by a password', async (id, name, roles) => {
    await using app = await start()
    const byClick = await openChoice(app)
    await byClick.answer({ person: id })
    const byPassword = await openChoice(app)
    await byPassword.answer({ name: id, password: 'demo' })
    for (const { browser, choice } of [byClick, byPassword]) {
      expect(choice.body).toContain(name)
      expect(await sessionOf(browser)).toMatchObject({ person: { name, roles } })
    }
  })

  it('rejects wrong names and passwords, and allows another attempt', async () => {
    await using app = await start()
    const { browser, answer } = await openChoice(app)
    const forms: Record<string, string>[] = [
      { name: 'grace', password: 'wrong' },
      { name: 'grace', password: '' },
      { name: 'grace' },
      { name: 'nobody', password: 'demo' },
      { person: 'nobody' },
      { name: '"><script>alert(1)</script>', password: '' },
      {},
    ]
    for (const form of forms) {
      const refused = await answer(form)
      expect(refused.statusCode, JSON.stringify(form)).toBe(403)
      expect(refused.body).toContain('role="alert">Wrong name or password.')
      expect(refused.body).not.toContain('<script>')
      expect(await sessionOf(browser)).toMatchObject({ person: null })
    }
    await answer({ name: 'rosa', password: 'demo' })
    expect(await sessionOf(browser)).toMatchObject({ person: { name: 'Rosa Delgado' } })
  })

  it('allows canceling', async () => {
    await using app = await start()
    const { answer } = await openChoice(app, '/sign-in?returnTo=%2Fmap%2Fpine-ridge')
    expectRefusal(await answer({ cancel: '1' }), 'access-denied', '/sign-in?returnTo=%2Fmap%2Fpine-ridge')
  })

  it('supports several tabs at once', async () => {
    await using app = await start()
    const { browser } = await openChoice(app, '/sign-in?returnTo=%2Fmap%2Fone')
    const first = browser.url().href
    await browser.visit('/sign-in?returnTo=%2Fmap%2Ftwo')
    await browser.visit(browser.url().href, { person: 'rosa' })
    expect(browser.url().pathname).toBe('/map/two')
    await browser.visit(first, { person: 'rosa' })
    expect(browser.url().pathname).toBe('/map/one')
    expect(await sessionOf(browser)).toMatchObject({ person: { name: 'Rosa Delgado' } })
  })

  it('names its own address for any host', async () => {
    await using app = await start()
    for (const host of ['127.0.0.1:2', 'localhost:2', '[::1]']) {
      const answer = await app.get('/demo-identity/.well-known/openid-configuration', { host })
      const named = Object.entries(answer.json()).filter(([name]) => /^issuer$|_endpoint$|_uri$/.test(name))
      expect(named.length).toBeGreaterThan(4)
      for (const [name, address] of named)
        expect(address, name).toMatch(/^http:\/\/localhost:1\/demo-identity/)
    }
  })

  describe('accepts only this machine, and rejects', () => {
    const addresses = [
      '/sign-in',
      '/sign-in/callback?state=a',
      '/demo-identity/auth',
      '/demo-identity/choose/a',
    ]
    it('another machine, and who comes through a proxy', async () => {
      await using app = await start({ ALLOWED_HOSTS: 'land.example' })
      const requests: Pick<InjectOptions, 'headers' | 'remoteAddress'>[] = [
        { remoteAddress: '192.168.0.7' },
        { remoteAddress: '2001:db8::7' },
        { headers: { 'x-forwarded-for': '127.0.0.1' } },
        { headers: { 'X-Forwarded-Proto': 'https' } },
        { headers: { forwarded: 'for=127.0.0.1' } },
        { headers: { via: '1.1 proxy' } },
      ]
      for (const request of requests) {
        const choice = { method: 'POST', url: '/demo-identity/choose/a' } as const
        for (const target of [...addresses.map((url) => ({ url })), choice])
          expectRefusal(await app.send({ ...target, ...request }), 'not-of-this-machine', null)
      }
    })

    it('another host name', async () => {
      await using app = await start({ ALLOWED_HOSTS: 'land.example' })
      for (const url of addresses)
        expectRefusal(await app.get(url, { host: 'land.example' }), 'not-of-this-machine', null)
    })

    it('a proxy that sends no header of its own, but speaks HTTP 1.0', async () => {
      await using app = await start()
      const port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port)
      const socket = connect(port, '127.0.0.1')
      socket.end('GET /sign-in HTTP/1.0\r\nhost: 127.0.0.1\r\n\r\n')
      expect((await socket.setEncoding('utf8').toArray()).join('')).toMatch(/^HTTP\/1\.1 403 /)
    })
  })

  it('rejects foreign redirect addresses', async () => {
    await using app = await start()
    const query = new URLSearchParams({
      client_id: 'poa-land-management',
      redirect_uri: 'https://evil.example/callback',
      response_type: 'code',
      scope: 'openid',
    })
    const answer = await app.get(`/demo-identity/auth?${query}`, { accept: 'text/html' })
    expect(answer.statusCode).toBe(400)
    expect(answer.headers.location).toBeUndefined()
    expect(answer.body).toContain('<h1>Could not continue the sign-in</h1>')
    expect(answer.body).not.toContain('evil.example')
  })

  it('has no other sign-in pages', async () => {
    await using app = await start()
    for (const path of ['choose/none', 'auth/none', 'nothing']) {
      const answer = await app.get(`/demo-identity/${path}`, { accept: 'text/html' })
      expect([400, 404], path).toContain(answer.statusCode)
      expect(answer.body).not.toContain('<title>POA</title>')
    }
  })

  it('signs out even after a restart of the server, which ends its sessions', async () => {
    const database = await createDatabase()
    const first = await startTestApp(database, options)
    const { browser, answer } = await openChoice(first)
    await answer({ person: 'grace' })
    await using app = await startTestApp(database, options)
    const later = openBrowser(app, origin, browser)
    expect(await sessionOf(later)).toMatchObject({ person: { name: 'Grace Whitfield' } })
    const { redirectTo } = (await later.signOut()).json()
    await first.close()
    await later.visit(redirectTo)
    expect(later.url().pathname).toBe('/config/map')
    expect(await sessionOf(later)).toMatchObject({ person: null })
  })

  it('confirms sign-outs that began elsewhere', async () => {
    await using app = await start()
    const { browser, answer } = await openChoice(app)
    await answer({ person: 'grace' })
    const current = new URLSearchParams({
      client_id: 'poa-land-management',
      post_logout_redirect_uri: `${origin}/config/map`,
    })
    for (const address of ['/demo-identity/session/end', `/demo-identity/session/end?${current}`]) {
      expect((await browser.visit(address)).body).toContain('Sign out of the demo?')
      expect((await browser.visit('/sign-in')).body).toContain('<title>POA</title>')
    }
    const { body } = await browser.visit('/demo-identity/session/end')
    const xsrf = /name="xsrf" value="(\w+)"/.exec(body)?.[1] ?? ''
    const done = await browser.visit('/demo-identity/session/end/confirm', { xsrf, logout: 'yes' })
    expect(done.body).toContain('<h1>Signed out</h1>')
    expect((await browser.visit('/sign-in')).body).toContain('Choose a demo user')
  })
})
