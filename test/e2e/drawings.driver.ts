import { expect, type Locator, type Page } from '@playwright/test'
import type { Drawing as SavedDrawing } from '#domain/drawings/drawing.schema.ts'
import { origin, placeAt } from '#test/databases/test-map.ts'
import { ConfigArea } from './config-area.driver.ts'
import { Drawing } from './drawing.driver.ts'
import type { Camera } from './map-canvas.driver.ts'
import { MapPage } from './map-page.driver.ts'
import type { ServedProject } from './served-project.ts'
import type { Part } from './sign-in.driver.ts'

export const camera = { ...origin, zoom: 15 }

export class StaffViewer {
  readonly page: Page
  readonly map: MapPage
  readonly drawing: Drawing
  readonly #area: ConfigArea
  readonly panel: Locator
  readonly count: Locator
  readonly form: Locator
  readonly notices: Locator

  constructor(page: Page, server: ServedProject) {
    this.page = page
    this.map = new MapPage(page, server.url)
    this.drawing = new Drawing(page)
    this.#area = new ConfigArea(page, server)
    this.panel = page.getByRole('region', { name: 'Drawings', exact: true })
    this.count = this.panel.getByRole('button', { name: /^([\d,]+ drawings?|No drawings yet)$/ })
    this.form = this.panel.getByRole('form', { name: 'Drawing' })
    this.notices = this.panel.getByRole('alert')
  }

  async signIn(part: Part): Promise<void> {
    await this.#area.signIn(part)
  }

  async open(mapId: string | undefined, at: Camera = camera): Promise<void> {
    await this.map.openViewer(mapId, { camera: at })
  }

  button(name: string): Locator {
    return this.panel.getByRole('button', { name, exact: true })
  }

  /** Draws a square of 100 m; `east` and `north` of its south-west corner are meters from the center. */
  async drawRectangle(east: number, north: number): Promise<void> {
    const logged = this.drawing.logged.length
    await this.drawing.open('Rectangle')
    await this.drawing.clickAt(placeAt(east, north), placeAt(east + 100, north + 100))
    await expect.poll(() => this.drawing.logged.length).toBe(logged + 1)
    await this.drawing.tool('Rectangle').click()
    await expect(this.drawing.tool('Rectangle')).toHaveAttribute('aria-pressed', 'false')
  }

  /** Shrinks the square to 60 m without saving. */
  async reshape(east: number, north: number): Promise<void> {
    await this.drawing.begin('Edit shapes')
    await this.drawing.clickAt(placeAt(east + 50, north + 50))
    await expect(this.drawing.status).toContainText('Drag the rectangle')
    await this.drawing.drag(placeAt(east + 100, north + 100), placeAt(east + 60, north + 60))
    await expect(this.drawing.action('Save')).toBeEnabled()
  }

  async isSaved(): Promise<void> {
    await expect(this.panel.getByText('Saving…')).toBeHidden()
    await expect(this.notices).toHaveCount(0)
  }

  async select(name: string): Promise<void> {
    if ((await this.count.getAttribute('aria-expanded')) !== 'true') await this.count.click()
    await this.panel.getByRole('listitem').getByRole('button', { name }).click()
    await expect(this.form).toBeVisible()
  }

  async name(name: string, note = ''): Promise<void> {
    await this.form.getByLabel('Name').fill(name)
    await this.form.getByLabel('Note').fill(note)
    await this.form.getByRole('button', { name: 'Save' }).click()
    await expect(this.form).toBeHidden()
  }

  async hears(name: string): Promise<void> {
    await this.page.waitForResponse(
      async (response) => /\/drawings\?/.test(response.url()) && (await response.text()).includes(name),
    )
  }

  async saved(mapId: string): Promise<SavedDrawing[]> {
    const answer = await this.page.request.get(`/api/maps/${mapId}/drawings`)
    return ((await answer.json()) as { items: SavedDrawing[] }).items
  }
}
