import { expect, type Locator, type Page } from '@playwright/test'
import { Finger } from './touch.ts'

export type Stop = 'small' | 'half' | 'full'

/** The list below the map on a phone, at one of three heights. */
export class PhoneSheet {
  readonly page: Page
  readonly handle: Locator
  readonly filters: Locator
  constructor(page: Page) {
    this.page = page
    this.handle = page.getByRole('button', { name: /^List height/ })
    this.filters = page.getByRole('dialog', { name: 'Layers & Filters' })
  }

  async isAt(stop: Stop): Promise<void> {
    await expect(this.handle).toHaveAccessibleName(`List height: ${stop}. Change it`)
  }

  /** Share of the screen's height that the sheet takes, once it has come to rest. */
  share() {
    const sheet = this.page.locator('[data-stop]')
    return expect.poll(async () => {
      const box = await sheet.boundingBox()
      const { height = 1 } = this.page.viewportSize() ?? {}
      return Math.round(((box?.height ?? 0) / height) * 100)
    })
  }

  async drag(pixelsUp: number): Promise<void> {
    // A sheet on its way would leave the finger beside the handle.
    await this.handle.tap({ trial: true })
    const box = await this.handle.boundingBox()
    if (!box) throw new Error('The sheet has no handle.')
    const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const finger = await Finger.of(this.page)
    await finger.down(start)
    for (const share of [0.25, 0.5, 0.75, 1])
      await finger.moveTo({ x: start.x, y: start.y - pixelsUp * share })
    await finger.up()
  }

  /** What can be touched within: its name and its smaller side in pixels. */
  async smallTargets(within: Locator, leastPixels: number): Promise<string[]> {
    return within.evaluateAll((elements, least) => {
      const selector = 'button, a[href], input, select, [role=tab], [role=option]'
      return elements
        .flatMap((element) => [...element.querySelectorAll<HTMLElement>(selector)])
        .flatMap((target) => {
          // The label of a checkbox is as good to touch as its box.
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
