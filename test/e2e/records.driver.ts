import { expect, type Locator, type Page } from '@playwright/test'
import { origin } from '#test/databases/test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { MapCanvas, type Place, type Point } from './map-canvas.driver.ts'
import { MapPage } from './map-page.driver.ts'
import type { ServedProject } from './served-project.ts'
import type { Part } from './sign-in.driver.ts'

export class Records {
  readonly page: Page
  readonly map: MapPage
  readonly area: ConfigArea
  readonly canvas: MapCanvas
  readonly form: Locator
  readonly newForm: Locator
  readonly placing: Locator
  readonly edit: Locator
  readonly goOn: Locator
  readonly remove: Locator
  readonly count: Locator
  readonly #url: string

  constructor(page: Page, server: ServedProject) {
    this.page = page
    this.map = new MapPage(page, server.url)
    this.area = new ConfigArea(page, server)
    this.canvas = new MapCanvas(page)
    this.#url = server.url
    this.newForm = this.map.details.or(page.getByRole('dialog')).locator('form')
    this.placing = page.getByRole('region', { name: 'Drawing status' })
    this.form = page.getByRole('form', { name: /^Edit / })
    this.edit = this.map.details.getByRole('button', { name: /^Edit (?!shape of )/ })
    this.goOn = this.map.details.getByRole('button', { name: /^Continue: / })
    this.remove = this.map.details.getByRole('button', { name: /^Remove / })
    this.count = this.form.locator('footer').getByRole('status')
  }

  async changeElsewhere(mapId: string, id: string, version: number, change: object): Promise<void> {
    const answer = await this.page.request.patch(`${this.#url}/api/maps/${mapId}/features/${id}`, {
      data: change,
      headers: { 'if-match': `"${version}"`, 'sec-fetch-site': 'same-origin' },
    })
    expect(answer.status(), await answer.text()).toBe(200)
  }

  async open(mapId: string, id: string, part: Part = 'administrator'): Promise<void> {
    await this.area.signIn(part)
    await this.map.visit(`/map/${mapId}?select=${id}`)
    await this.map.details.getByRole('heading', { level: 2 }).waitFor()
  }

  async startEditing(mapId: string, id: string, part?: Part): Promise<void> {
    await this.open(mapId, id, part)
    await this.edit.click()
    await expect(this.form).toBeVisible()
  }

  async openMap(mapId: string, { lat, lng }: Place = origin, zoom = 16): Promise<void> {
    await this.area.signIn()
    await this.map.visit(`/map/${mapId}#${zoom}/${lat}/${lng}`)
    await this.canvas.isComplete()
  }

  async startAdding(kind: 'Incident' | 'Asset' | 'Parcel'): Promise<void> {
    await this.page.getByRole('button', { name: 'Add', exact: true }).click()
    await this.page.getByRole('menuitem', { name: kind, exact: true }).click()
    await this.isPlacing()
  }

  async isPlacing(): Promise<void> {
    await expect(this.placing.getByRole('status')).toHaveText(/^(Click|Tap) /)
  }

  point(name: string): Locator {
    return this.page.getByRole('button', { name: `Location of ‘${name}’`, exact: true })
  }

  /** After the map has its final size. `by` is in pixels. */
  async dragPoint(name: string, by: Point): Promise<void> {
    await this.point(name).hover()
    let before: object | null = null
    await expect
      .poll(async () => {
        await this.canvas.isComplete()
        const last = before
        before = await this.point(name).boundingBox()
        return last !== null && JSON.stringify(last) === JSON.stringify(before)
      })
      .toBe(true)
    await this.point(name).hover()
    const { x, y, width, height } = before as unknown as DOMRect
    await this.page.mouse.down()
    await this.page.mouse.move(x + width / 2 + by.x, y + height / 2 + by.y, { steps: 4 })
    await this.page.mouse.up()
  }

  field(label: string): Locator {
    return this.form.getByLabel(new RegExp(`^${label}( staff only)?(\\s*\\*)?\\s*$`))
  }

  button(name: string): Locator {
    return this.form.getByRole('button', { name, exact: true })
  }

  async save(): Promise<void> {
    await this.button('Save').click()
    await expect(this.form).toBeHidden()
  }

  conflict(label: string): Locator {
    return this.form.getByRole('group', { name: `${label}: mine or theirs?` })
  }

  async saved(mapId: string, id: string): Promise<Record<string, unknown> | null> {
    const answer = await this.page.request.get(`${this.#url}/api/maps/${mapId}/features/${id}`)
    return answer.ok() ? await answer.json() : null
  }
}
