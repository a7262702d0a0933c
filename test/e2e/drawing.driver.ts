import { writeFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import type { DrawnShape } from '#web/tools/drawing/shapes/drawn-shape.ts'
import { MapCanvas, type Place, type Point } from './map-canvas.driver.ts'

export type Tool = 'Polyline' | 'Polygon' | 'Rectangle' | 'Circle' | 'Marker' | 'Circle marker'
export type LoggedShape = { what: string; shape: DrawnShape }

export const coordinatesOf = (logged: LoggedShape | undefined): unknown[] =>
  logged?.shape.geometry.coordinates ?? []

export class Drawing {
  readonly page: Page
  readonly canvas: MapCanvas
  readonly toolbar: Locator
  readonly bar: Locator
  readonly status: Locator
  readonly problem: Locator
  readonly logged: LoggedShape[] = []

  constructor(page: Page) {
    this.page = page
    this.canvas = new MapCanvas(page)
    this.toolbar = page.getByRole('toolbar', { name: 'Drawing' })
    this.bar = page.getByRole('region', { name: 'Drawing status' })
    this.status = this.bar.getByRole('status')
    this.problem = this.bar.getByRole('alert')
    page.on('console', (message) => {
      const [, what, shape] = /^Shape (\w+): (.*)$/.exec(message.text()) ?? []
      if (message.type() === 'info' && what && shape) this.logged.push({ what, shape: JSON.parse(shape) })
    })
  }

  tool(name: Tool): Locator {
    return this.button(`Draw: ${name}`)
  }

  button(name: string): Locator {
    return this.toolbar.getByRole('button', { name, exact: true })
  }

  action(name: string): Locator {
    return this.bar.getByRole('button', { name, exact: true })
  }

  get sketch(): Locator {
    return this.canvas.section.locator('svg[data-sketch]')
  }

  get guideline(): Locator {
    return this.canvas.section.locator('line[data-guideline]')
  }

  get refusal(): Locator {
    return this.canvas.section.getByText('Shape edges must not cross')
  }

  async open(name: Tool): Promise<void> {
    await this.tool(name).click()
    await expect(this.tool(name)).toHaveAttribute('aria-pressed', 'true')
    await expect(this.status).toHaveText(/^Click to place the /)
  }

  async begin(name: 'Edit shapes' | 'Delete shapes'): Promise<void> {
    await this.button(name).click()
    await expect(this.status).toContainText('Click a shape to')
  }

  async clickAt(...places: Place[]): Promise<void> {
    await this.canvas.isComplete()
    for (const place of places) {
      const { x, y } = await this.canvas.placeOnPage(place)
      await this.page.mouse.move(x, y)
      await this.page.mouse.click(x, y)
    }
  }

  async moveTo(place: Place): Promise<void> {
    const { x, y } = await this.canvas.placeOnPage(place)
    await this.page.mouse.move(x, y)
  }

  async drag(from: Place, to: Place): Promise<void> {
    const [a, b] = [await this.canvas.pointOf(from), await this.canvas.pointOf(to)]
    await this.canvas.drag(a, { x: b.x - a.x, y: b.y - a.y })
  }

  async dropFile(name: string, text: string): Promise<void> {
    await this.dropFiles({ [name]: text })
  }

  async dropFiles(texts: Record<string, string>): Promise<void> {
    const invitation = this.canvas.section.getByText('Drop GeoJSON here')
    const files = await this.dragFiles(texts, await this.canvas.onPage(await this.canvas.middle()))
    await expect(invitation).toBeVisible()
    await files.drop()
    await expect(invitation).toBeHidden()
  }

  /** Dispatches drag events as the browser does. */
  async dragFiles(texts: Record<string, string>, at: Point) {
    // The tools load after the first frame of the map; on a phone they are folded.
    const folded = this.page.getByRole('button', { name: 'Drawing tools' })
    await expect(this.toolbar.or(folded).first()).toBeVisible()
    const files = Object.entries(texts).map(([name, text]) => ({ path: test.info().outputPath(name), text }))
    for (const { path, text } of files) await writeFile(path, text)
    const session = await this.page.context().newCDPSession(this.page)
    const data = { items: [], files: files.map(({ path }) => path), dragOperationsMask: 1 }
    const send = (type: 'dragEnter' | 'dragOver' | 'drop') =>
      session.send('Input.dispatchDragEvent', { type, ...at, data })
    await send('dragEnter')
    await send('dragOver')
    return { drop: () => send('drop') }
  }

  async chooseFile(name: string, text: string): Promise<void> {
    const choosing = this.page.waitForEvent('filechooser')
    await this.button('Open GeoJSON file').click()
    const chooser = await choosing
    await chooser.setFiles({ name, mimeType: 'application/geo+json', buffer: Buffer.from(text) })
  }

  async hasLogged(...expected: string[]): Promise<LoggedShape[]> {
    await expect
      .poll(() => this.logged.map(({ what, shape }) => `${what} ${shape.properties.kind}`))
      .toEqual(expected)
    return this.logged
  }
}
