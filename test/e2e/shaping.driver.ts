import { expect, type Locator, type Page } from '@playwright/test'
import type { Place } from './map-canvas.driver.ts'
import { Records } from './records.driver.ts'
import type { ServedProject } from './served-project.ts'

type Saved = {
  id: string
  name: string
  area: number | null
  geometry: { coordinates: [number, number][][] }
}

/** The shape editor. */
export class Shaping {
  readonly page: Page
  readonly records: Records
  readonly bar: Locator
  readonly status: Locator
  readonly problem: Locator
  readonly #url: string

  constructor(page: Page, server: ServedProject) {
    this.page = page
    this.records = new Records(page, server)
    this.bar = page.getByRole('region', { name: 'Shape editing' })
    this.status = this.bar.getByRole('status')
    this.problem = this.bar.getByRole('alert')
    this.#url = server.url
  }

  async open(mapId: string, name: string, center: Place): Promise<void> {
    await this.records.openMap(mapId, center, 16)
    await this.records.map.openTab('Parcels')
    await this.records.map.row(name).click()
    await this.start(name)
  }

  async start(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Edit shape of ${name}` }).click()
    await expect(this.status).toHaveText(new RegExp(`^Drag a corner of ${name}`))
    await this.records.canvas.isComplete()
  }

  button(name: string): Locator {
    return this.bar.getByRole('button', { name, exact: true })
  }

  async fromMenu(item: string): Promise<void> {
    await this.button('More').click()
    await this.page.getByRole('menuitem', { name: item }).click()
  }

  async grab(from: Place, to: Place): Promise<void> {
    const { canvas } = this.records
    const [start, end] = [await canvas.placeOnPage(from), await canvas.placeOnPage(to)]
    await this.page.mouse.move(start.x, start.y)
    await this.page.mouse.down()
    await this.page.mouse.move(end.x, end.y, { steps: 6 })
  }

  async drag(from: Place, to: Place): Promise<void> {
    await this.grab(from, to)
    await this.page.mouse.up()
  }

  async parcels(mapId: string): Promise<Map<string, Saved>> {
    const list = await this.page.request.get(`${this.#url}/api/maps/${mapId}/features?kind=parcel&limit=100`)
    const { items } = (await list.json()) as { items: { id: string }[] }
    const details = await Promise.all(items.map(({ id }) => this.records.saved(mapId, id)))
    return new Map((details as Saved[]).map((one) => [one.name, one]))
  }
}
