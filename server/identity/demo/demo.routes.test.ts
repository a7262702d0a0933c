import { afterAll, describe, expect, it } from 'vitest'
import { type CookieBrowser, openBrowser } from '#test/cookie-browser.ts'
import { onEachEngine } from '#test/databases.ts'
import { makeStubPage } from '#test/stub-page.ts'
import { startTestApp } from '#test/test-app.ts'

const page = makeStubPage()
afterAll(() => page.remove())

// Nobody listens there: whatever the server asks its own provider must not go through the network.
const origin = 'http://localhost:1'

onEachEngine('signing in through the demo provider', (createDatabase) => {
  const start = async () =>
    startTestApp(await createDatabase(), { settings: { PUBLIC_URL: origin }, pageDirectory: page.folder })

  it('leads to the configuration area, and out of it again', async () => {
    await using app = await start()
    const browser = openBrowser(app, origin)
    const choice = await browser.visit('/sign-in')
    expect(choice.statusCode, choice.body).toBe(200)
    expect(choice.body).toContain('Choose who to be')

    const arrived = await browser.visit(browser.url().href, { person: 'daniel' })
    expect(browser.url().pathname).toBe('/config/map')
    expect(arrived.statusCode).toBe(200)
    expect(await sessionOf(browser)).toEqual({
      person: {
        id: `${origin}/demo-identity#daniel`,
        name: 'Daniel Okafor',
        roles: { isAdministrator: false, ofMaps: { 'pine-ridge': 'manager' } },
      },
      expiresAt: expect.any(String),
      isDemo: true,
    })

    const { redirectTo } = (await browser.signOut()).json()
    expect(redirectTo).toContain(`${origin}/demo-identity/session/end?`)
    await browser.visit(redirectTo)
    expect(browser.url().pathname).toBe('/config/map')
    expect(await sessionOf(browser)).toMatchObject({ person: null })
    expect((await browser.visit('/sign-in')).body).toContain('Choose who to be')
  })
})

async function sessionOf(browser: CookieBrowser) {
  return (await browser.ask('/api/session')).json()
}
