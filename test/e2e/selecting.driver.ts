import type { Locator, Page } from '@playwright/test'
import { placeAt } from '#test/databases/test-map.ts'
import type { ConfigArea } from './config-area.driver.ts'
import { MapCanvas, type Place } from './map-canvas.driver.ts'
import { Finger } from './touch.ts'

export class Selecting {
  readonly page: Page
  readonly canvas: MapCanvas
  readonly toolbar: Locator
  readonly bar: Locator
  readonly status: Locator
  readonly sketch: Locator

  constructor(page: Page) {
    this.page = page
    this.canvas = new MapCanvas(page)
    this.toolbar = page.getByRole('toolbar', { name: 'Selection tools' })
    this.bar = page.getByRole('region', { name: 'Map selection' })
    this.status = this.bar.getByRole('status')
    this.sketch = this.canvas.section.locator('svg[data-area]')
  }

  async open(area: ConfigArea, mapId: string): Promise<void> {
    const { lat, lng } = placeAt(500, 400)
    await area.signInTo(`/config/map/${mapId}/features#14.5/${lat}/${lng}`)
    await this.canvas.isComplete()
  }

  button(name: 'Select by box' | 'Select by lasso' | 'Select all in view'): Locator {
    return this.toolbar.getByRole('button', { name })
  }

  get fold(): Locator {
    return this.page.getByRole('button', { name: /^Selection tools/ })
  }

  async draw(...places: Place[]): Promise<void> {
    await this.begin(...places)
    await this.page.mouse.up()
  }

  async begin(...places: Place[]): Promise<void> {
    const [first, ...others] = await this.#onPage(places)
    await this.page.mouse.move(first?.x ?? 0, first?.y ?? 0)
    await this.page.mouse.down()
    for (const { x, y } of others) await this.page.mouse.move(x, y, { steps: 3 })
  }

  async drawByFinger(...places: Place[]): Promise<void> {
    const finger = await Finger.of(this.page)
    const [first, ...others] = await this.#onPage(places)
    await finger.down(first ?? { x: 0, y: 0 })
    for (const point of others) await finger.moveTo(point)
    await finger.up()
  }

  async #onPage(places: readonly Place[]) {
    return Promise.all(places.map(async (place) => this.canvas.placeOnPage(place)))
  }
}
