import { expect, type Locator, type Page } from '@playwright/test'
import { type Camera, MapCanvas } from './map-canvas.driver.ts'

export type Tab = 'Incidents' | 'Assets' | 'Parcels' | 'Points' | 'Lines' | 'Polygons'
type Opening = { camera?: Camera; search?: Record<string, string> }

export class MapPage {
  readonly page: Page
  readonly canvas: MapCanvas
  readonly #url: string
  readonly sidebar: Locator
  readonly list: Locator
  readonly details: Locator
  readonly searchBox: Locator
  readonly place: Locator
  readonly noConnection: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.#url = url
    this.canvas = new MapCanvas(page)
    this.sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    this.list = page.getByRole('listbox')
    this.details = page.getByRole('region', { name: 'Details' })
    this.searchBox = page.getByRole('searchbox', { name: 'Search the list' })
    this.noConnection = page.getByRole('status').filter({ hasText: /^No connection. Showing data from \d/ })
    this.place = page.getByRole('dialog', { name: 'At this location' })
  }

  async loseConnection(): Promise<void> {
    await this.page.context().setOffline(true)
    await expect(this.noConnection).toBeVisible()
  }

  async open(mapId: string, opening: Opening = {}): Promise<void> {
    await this.visit(this.addressOf(mapId, opening))
    await this.canvas.isComplete()
  }

  async openViewer(mapId?: string, opening: Opening = {}): Promise<void> {
    await this.visit(this.addressOf(mapId ?? '', opening).replace(/^\/map\/?/, mapId ? '/webgl/' : '/webgl'))
    await this.canvas.isComplete()
  }

  addressOf(mapId: string, { camera, search = {} }: Opening = {}): string {
    const query = new URLSearchParams(search).toString()
    const hash = camera ? `#${camera.zoom}/${camera.lat}/${camera.lng}` : ''
    return `/map/${mapId}${query === '' ? '' : `?${query}`}${hash}`
  }

  async visit(path: string): Promise<void> {
    await this.page.goto(new URL(path, this.#url).href)
  }

  search(): Record<string, string> {
    return Object.fromEntries(new URL(this.page.url()).searchParams)
  }

  tab(name: Tab): Locator {
    return this.page.getByRole('tab', { name })
  }

  async openTab(name: Tab): Promise<void> {
    await this.tab(name).click()
    await expect(this.tab(name)).toHaveAttribute('aria-selected', 'true')
  }

  async hasCount(name: Tab, count: number): Promise<void> {
    await expect(this.tab(name)).toHaveText(`${name} ${count.toLocaleString('en-US')}`)
  }

  row(name: string | RegExp): Locator {
    return this.list.getByRole('option', { name })
  }

  get rows(): Locator {
    return this.list.getByRole('option')
  }

  get emptyText(): Locator {
    return this.page.getByRole('tabpanel').locator('p')
  }

  get filtersButton(): Locator {
    return this.page.getByRole('button', { name: 'Layers & Filters' })
  }

  async openFilters(): Promise<void> {
    if ((await this.filtersButton.getAttribute('aria-expanded')) !== 'true') await this.filtersButton.click()
    await expect(this.layerToggle('Incidents')).toBeVisible()
  }

  layerToggle(name: Tab): Locator {
    return this.page.getByRole('checkbox', { name })
  }

  filter(name: 'Incident type' | 'Asset type' | 'Time range' | 'Status'): Locator {
    return this.page.getByLabel(name)
  }

  async chooseMore(name: string) {
    await this.button('More pages and settings').click()
    await this.page.getByRole('menuitem', { name }).click()
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  baseMap(name: 'Street' | 'Satellite' | 'Terrain' | 'Hybrid'): Locator {
    return this.page.getByRole('radiogroup', { name: 'Base map' }).getByText(name, { exact: true })
  }

  fact(label: string): Locator {
    return this.details
      .locator('dl > div')
      .filter({ has: this.page.locator('dt').getByText(label, { exact: true }) })
      .locator('dd')
  }

  async hasDetailsOf(name: string): Promise<void> {
    await expect(this.details.getByRole('heading', { name, exact: true })).toBeVisible()
  }
}
