import { expect, it } from 'vitest'
import { onEngine } from '#test/databases/databases.ts'
import { storeClient } from '#test/databases/feature-builders.ts'
import { makeToken, noteClaim } from '#test/server/api-tokens.ts'
import { startHostileProvider } from '#test/server/hostile-provider.ts'
import { openBrowser, reserveAddress } from '#test/server/provider.ts'
import { getOnce, settingsOf, startServer } from '#test/server/server-process.ts'
import { digestOf } from './audit.ts'

onEngine('sqlite', 'the audit log', (createDatabase) => {
  async function start(more: Record<string, string> = {}) {
    const provider = await startHostileProvider()
    const publicUrl = await reserveAddress()
    const database = await createDatabase()
    const server = await startServer({
      ...settingsOf(database.location),
      PORT: new URL(publicUrl).port,
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      OIDC_ROLES_CLAIM: 'roles',
      ...more,
    })
    const signIn = async (claims: object, signedWith?: 'nothing') => {
      provider.misbehave({
        claims: { email: 'ana@example.org', ...claims },
        ...(signedWith ? { signedWith } : {}),
      })
      const browser = openBrowser()
      await browser.visit(`${publicUrl}/sign-in?returnTo=%2Fhealth%2Flive`)
      return browser
    }
    const logged = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    const close = async () => {
      await server.stop()
      await provider[Symbol.asyncDispose]()
    }
    return { database, server, provider, publicUrl, signIn, logged, [Symbol.asyncDispose]: close }
  }

  it('logs at the default level with a stable pseudonym and without names', async () => {
    await using run = await start()
    const browser = await run.signIn({ roles: ['editor:oak-hills'] })
    await browser.visit(`${run.publicUrl}/api/clients/oak-hills/archive`, {})
    await fetch(`${run.publicUrl}/api/clients/oak-hills/archive`, { method: 'POST' })
    const other = await run.signIn({ roles: ['manager:oak-hills'] })
    await other.delete(`${run.publicUrl}/api/session`)
    await other.delete(`${run.publicUrl}/api/session`)
    await run.signIn({ roles: ['manager:oak-hills'] })
    await browser.delete(`${run.publicUrl}/api/sessions`)
    await openBrowser().visit(`${run.publicUrl}/sign-in/callback?state=none`)
    await run.signIn({}, 'nothing')
    await run.signIn({ roles: ['manager:oak-hills'] })
    run.provider.misbehave({})
    const form = new URLSearchParams({ logout_token: run.provider.logoutToken() })
    await fetch(`${run.publicUrl}/sign-in/back-channel-logout`, { method: 'POST', body: form })
    await fetch(`${run.publicUrl}/sign-in/back-channel-logout`, { method: 'POST', body: form })

    await run.server.stop()
    const person = digestOf(`${run.provider.issuer}#ana`)
    expect(run.logged()).toMatchObject([
      { msg: 'signed in', person, roles: ['editor:oak-hills'] },
      {
        msg: 'refused for want of rights',
        person,
        method: 'POST',
        route: expect.stringContaining('archive'),
      },
      { msg: 'signed in', person, roles: ['manager:oak-hills'] },
      {
        msg: 'rights have changed since the last sign-in',
        person,
        from: ['editor:oak-hills'],
        to: ['manager:oak-hills'],
      },
      { msg: 'signed out', person },
      { msg: 'signed in', person },
      { msg: 'signed out everywhere', person, sessions: 2 },
      { msg: 'sign-in was refused', reason: 'unknown-sign-in' },
      { msg: 'sign-in was refused', reason: 'wrong-signature' },
      { msg: 'signed in', person },
      { msg: 'signed out by the identity provider', person },
      { msg: 'a sign-out by the identity provider was refused' },
    ])
    expect(run.server.output()).not.toMatch(/Ana|#ana|ana@|"ana"|id_token/)
  }, 60_000)

  it('names rejected tokens: for scope, map, role of the creator, and in general', async () => {
    await using run = await start()
    await storeClient(run.database, 'oak-hills')
    const id = `${run.provider.issuer}#ana`
    const token = await makeToken(
      run.database,
      { scopes: ['read'] },
      { id, claim: ['editor:oak-hills'], issuer: run.provider.issuer },
    )
    const ask = (method: string, path: string) =>
      fetch(`${run.publicUrl}/api${path}`, { method, headers: token.bearer })
    const refused = [
      ['POST', '/maps/oak-hills/features'],
      ['GET', '/maps/elsewhere/features'],
      ['GET', '/tokens'],
    ] as const
    for (const [method, path] of refused) expect((await ask(method, path)).status, path).toBe(403)
    await noteClaim(run.database, [], id)
    expect((await ask('GET', '/maps/oak-hills/features')).status).toBe(403)
    await run.server.stop()
    const routes = ['/maps/:mapId/features', '/maps/:mapId/features', '/tokens', '/maps/:mapId/features']
    expect(run.logged()).toEqual(
      routes.map((route) =>
        expect.objectContaining({
          msg: 'refused for want of rights',
          person: digestOf(id),
          token: token.id,
          route: `/api${route}`,
        }),
      ),
    )
  }, 60_000)

  it('names users whom the demo sign-in rejects, on every route', async () => {
    const publicUrl = await reserveAddress()
    await using server = await startServer({
      ...settingsOf((await createDatabase()).location),
      PORT: new URL(publicUrl).port,
      PUBLIC_URL: publicUrl,
    })
    const addresses = ['/sign-in', '/demo-identity/auth', '/demo-identity/choose/a', '/demo-identity/nothing']
    for (const address of addresses) {
      const { status } = await getOnce(`${publicUrl}${address}`, { 'x-forwarded-for': '192.0.2.7' })
      expect(status, address).toBe(403)
    }
    await server.stop()
    const lines = server.output().match(/^\{.*"log":"access".*$/gm) ?? []
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      addresses.map(() =>
        expect.objectContaining({ msg: 'sign-in was refused', reason: 'not-of-this-machine' }),
      ),
    )
  })

  it('is empty if the operator logs errors only', async () => {
    await using run = await start({ LOG_LEVEL: 'error' })
    await run.signIn({ roles: ['administrator'] })
    await run.server.stop()
    expect(run.logged()).toEqual([])
  }, 60_000)
})
