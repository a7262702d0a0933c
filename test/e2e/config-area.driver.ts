import { expect, type Locator, type Page } from '@playwright/test'
import { sessionCookieName } from '#server/http/access.ts'
import { demoPeople } from '#server/identity/demo/demo-people.ts'
import { demoPath } from '#server/identity/demo/demo-provider.ts'
import { personOf } from '#server/identity/identity-provider.ts'
import { createSession } from '#server/identity/sessions.queries.ts'
import { readConfiguration } from '#server/settings/configuration.ts'
import { ConfigurationPanel } from './configuration-panel.driver.ts'
import { MapCanvas } from './map-canvas.driver.ts'
import type { ServedProject } from './served-project.ts'
import { type Part, people, SignInPages } from './sign-in.driver.ts'

export class ConfigArea {
  readonly page: Page
  readonly canvas: MapCanvas
  readonly #server: ServedProject
  readonly sidebar: Locator
  readonly places: Locator
  readonly split: Locator

  constructor(page: Page, server: ServedProject) {
    this.page = page
    this.#server = server
    this.canvas = new MapCanvas(page)
    this.sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    this.places = page.getByRole('navigation', { name: 'Configuration' })
    this.split = page.getByRole('slider', { name: /^(Width|Height) of panel and map$/ })
  }

  /** Opens a session without the sign-in pages. */
  async signIn(part: Part = 'administrator'): Promise<void> {
    const { database, url } = this.#server
    const person = demoPeople.find(({ name }) => name === people[part])
    if (!person) throw new Error(`The demo provider does not know ${people[part]}.`)
    const claims = { sub: person.id, name: person.name, roles: person.roles }
    const value = await createSession(database, personOf(claims, `${url}${demoPath}`, 'roles'))
    const cookie = sessionCookieName(readConfiguration({ PUBLIC_URL: url }))
    await this.page.context().addCookies([{ name: cookie, value, url, httpOnly: true, sameSite: 'Lax' }])
  }

  async signInTo(path: string, part?: Part): Promise<void> {
    await this.signIn(part)
    await this.visit(path)
  }

  async signInByHand(path: string, part: Part = 'administrator'): Promise<void> {
    await this.visit(path)
    await new SignInPages(this.page).person(people[part]).click()
    await expect(this.page).toHaveURL((url) => url.pathname.startsWith('/config'))
  }

  async visit(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.#server.url).href)
  }

  async openSection(mapId: string, section: 'map' | 'configuration' | 'features', part?: Part) {
    const path = `/config/map/${mapId}/${section}`
    if (part) await this.signInTo(path, part)
    else await this.visit(path)
    await this.canvas.isComplete()
  }

  async openConfiguration(mapId: string, part: Part | null = 'administrator'): Promise<ConfigurationPanel> {
    await this.openSection(mapId, 'configuration', part ?? undefined)
    return new ConfigurationPanel(this.page)
  }

  place(name: string): Locator {
    return this.places.getByRole('link', { name, exact: true })
  }

  tab(name: 'Map' | 'Notifications'): Locator {
    return this.sidebar.getByRole('tab', { name: new RegExp(`^${name}`) })
  }

  /** Width of the panel in percent of the section, after its transition. */
  panelShare(section: string) {
    const panel = this.page.getByRole('region', { name: section, exact: true })
    return expect.poll(async () => {
      const [{ width = 0 } = {}, map] = [(await panel.boundingBox()) ?? {}, await this.canvas.box()]
      return Math.round((width / (width + map.width)) * 100)
    })
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  toast(text: string | RegExp): Locator {
    return this.page.getByRole('alert').filter({ hasText: text })
  }
}
