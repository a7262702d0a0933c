import { expect } from 'vitest'
import type { TestDatabase } from '#test/databases/databases.ts'
import { type CookieBrowser, openBrowser } from './cookie-browser.ts'
import { type HostileProvider, type Misbehaviour, startHostileProvider } from './hostile-provider.ts'
import { startTestApp, type TestApp } from './test-app.ts'

/** No server listens: the app is called without a socket. */
export const publicUrl = 'http://localhost:1'

export type OidcApp = TestApp & {
  provider: HostileProvider
  openBrowser(previous?: CookieBrowser): CookieBrowser
}

export async function startOidcApp(
  database: TestDatabase,
  { settings = {} }: { settings?: Record<string, string> } = {},
): Promise<OidcApp> {
  const provider = await startHostileProvider()
  const app = await startTestApp(database, {
    settings: {
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.clientSecret,
      ...settings,
    },
  })
  const close = async () => {
    await app.close()
    await provider[Symbol.asyncDispose]()
  }
  return {
    ...app,
    provider,
    openBrowser: (previous) => openBrowser(app, publicUrl, previous),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Returns the callback address after the provider has answered. */
export async function passProvider(browser: CookieBrowser, signIn = '/sign-in'): Promise<string> {
  const begun = await browser.ask(signIn)
  expect(begun.statusCode, begun.body).toBe(303)
  const answer = await fetch(String(begun.headers.location), { redirect: 'manual' })
  expect(answer.status).toBe(302)
  return answer.headers.get('location') ?? ''
}

export async function signInWith(app: OidcApp, how: Misbehaviour = {}, signIn = '/sign-in') {
  app.provider.misbehave(how)
  const browser = app.openBrowser()
  const answer = await browser.ask(await passProvider(browser, signIn))
  return { browser, answer }
}

export async function sessionOf(browser: CookieBrowser) {
  return (await browser.ask('/api/session')).json()
}
