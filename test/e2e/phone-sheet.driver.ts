import { expect, type Locator, type Page } from '@playwright/test'
import type { Point } from './map-canvas.driver.ts'
import { Finger } from './touch.ts'

export type Stop = 'small' | 'half' | 'full'

class DraggingFinger {
  readonly #finger: Finger
  readonly #start: Point
  #nowMs = Date.now()
  #pixelsUp = 0
  constructor(finger: Finger, start: Point) {
    this.#finger = finger
    this.#start = start
  }

  /** `pixels` from the start of the drag. */
  async moveUp(pixels: number): Promise<void> {
    this.#nowMs += 16
    this.#pixelsUp = pixels
    await this.#finger.moveTo({ x: this.#start.x, y: this.#start.y - pixels }, this.#nowMs)
  }

  async moveOn(pixelsUp: number): Promise<void> {
    await this.moveUp(this.#pixelsUp + pixelsUp)
  }

  /** `afterMs` is the time without movement before lifting. */
  async lift({ afterMs = 0 } = {}): Promise<void> {
    await this.#finger.up(this.#nowMs + afterMs)
  }
}

export class PhoneSheet {
  readonly page: Page
  readonly handle: Locator
  readonly filters: Locator
  readonly sheet: Locator
  constructor(page: Page) {
    this.page = page
    this.handle = page.getByRole('button', { name: /^Change list height/ })
    this.sheet = page.locator('[data-stop]')
    this.filters = page.getByRole('dialog', { name: 'Layers & Filters' })
  }

  async isAt(stop: Stop): Promise<void> {
    await expect(this.handle).toHaveAccessibleName(`Change list height (now ${stop})`)
  }

  ring(): Promise<string> {
    return this.handle.evaluate((handle) => getComputedStyle(handle, '::after').outlineStyle)
  }

  async top(): Promise<number> {
    return Math.round((await this.sheet.boundingBox())?.y ?? 0)
  }

  async topAtRest(): Promise<number> {
    await expect(this.sheet).not.toHaveAttribute('data-moving')
    return this.top()
  }

  share() {
    const { height = 1 } = this.page.viewportSize() ?? {}
    return expect.poll(async () => Math.round(((height - (await this.topAtRest())) / height) * 100))
  }

  async touch(part: Locator = this.handle): Promise<DraggingFinger> {
    await part.tap({ trial: true })
    const box = await part.boundingBox()
    if (!box) throw new Error('The sheet has nothing of the kind.')
    const start = { x: box.x + box.width / 2, y: box.y + Math.min(box.height, 44) / 2 }
    const finger = await Finger.of(this.page)
    await finger.down(start)
    return new DraggingFinger(finger, start)
  }

  /** Fast enough to count as a flick. */
  async flick(pixelsUp: number, part?: Locator): Promise<void> {
    const finger = await this.touch(part)
    for (const share of [0.25, 0.5, 0.75, 1]) await finger.moveUp(pixelsUp * share)
    await finger.lift()
  }

  async smallTargets(within: Locator, leastPixels: number): Promise<string[]> {
    return within.evaluateAll((elements, least) => {
      const selector = 'button, a[href], input, select, [role=tab], [role=option]'
      return elements
        .flatMap((element) => [...element.querySelectorAll<HTMLElement>(selector)])
        .flatMap((target) => {
          // The label of a checkbox is a touch target too.
          const label = target.matches('[type=checkbox]')
            ? target.closest('[data-touch], div:has(label)')
            : null
          const { width, height } = (label ?? target).getBoundingClientRect()
          if (width === 0 || Math.min(width, height) >= least) return []
          const name = target.getAttribute('aria-label') ?? target.textContent ?? target.tagName
          return [`${name}: ${Math.round(width)} x ${Math.round(height)}`]
        })
    }, leastPixels)
  }
}
