import { expect, type Locator, type Page } from '@playwright/test'
import { Drawing, type Tool } from './drawing.driver.ts'
import type { Place, Point } from './map-canvas.driver.ts'
import { Finger } from './touch.ts'

export class DrawingByTouch extends Drawing {
  readonly #finger: Finger
  private constructor(page: Page, finger: Finger) {
    super(page)
    this.#finger = finger
  }

  static async on(page: Page): Promise<DrawingByTouch> {
    return new DrawingByTouch(page, await Finger.of(page))
  }

  get fold(): Locator {
    return this.page.getByRole('button', { name: /^Drawing tools/ })
  }

  async choose(name: string): Promise<void> {
    await this.fold.tap()
    await this.button(name).tap()
    await expect(this.toolbar).toBeHidden()
  }

  override async open(name: Tool): Promise<void> {
    await this.choose(`Draw: ${name}`)
    await expect(this.status).toHaveText(/^Tap to place the /)
    await this.hasRoom()
  }

  override async begin(name: 'Edit shapes' | 'Delete shapes'): Promise<void> {
    await this.choose(name)
    await expect(this.status).toContainText('Tap a shape to')
  }

  async hasRoom(): Promise<void> {
    const heightOf = async (part: Locator) => Math.round((await part.boundingBox())?.height ?? 0)
    const { height = 0 } = this.page.viewportSize() ?? {}
    // Height without the page header and the rest of the list.
    const room = height - 48 - 100
    await expect
      .poll(async () => [await heightOf(this.canvas.section), await heightOf(this.canvas.canvas)])
      .toEqual([room, room])
    await expect(this.page.locator('[data-stop=peek]:not([data-moving])')).toBeVisible()
    await this.canvas.isComplete()
  }

  async tapAt(...places: Place[]): Promise<void> {
    for (const place of places) await this.tapBeside(place, { x: 0, y: 0 })
  }

  async tapBeside(place: Place, { x, y }: Point): Promise<void> {
    const point = await this.#pointOnPage(place)
    await this.#finger.down({ x: point.x + x, y: point.y + y })
    await this.#finger.up()
  }

  override async drag(from: Place, to: Place): Promise<void> {
    const [a, b] = [await this.#pointOnPage(from), await this.#pointOnPage(to)]
    await this.#finger.down(a)
    for (const share of [0.25, 0.5, 0.75, 1])
      await this.#finger.moveTo({ x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share })
    await this.#finger.up()
  }

  async #pointOnPage(place: Place): Promise<Point> {
    return this.canvas.placeOnPage(place)
  }
}
