import type { Page } from '@playwright/test'

const fingertipPixels = 44

/**
 * Whatever can be pressed and is smaller than a fingertip, with its size. What counts is where a press arrives:
 * a link may have the area of its card, and a box that of its label.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const dialogs = [...document.querySelectorAll('[role=dialog]')]
    const root = dialogs.at(-1) ?? document.body
    const selector = 'button, a[href], input, select, summary, [role=tab], [role=slider], [role=menuitem]'
    // A word in the line that names the sources, and no control.
    const targets = [...root.querySelectorAll<HTMLElement>(selector)].filter(
      (target) => target.checkVisibility({ visibilityProperty: true }) && !target.closest('[class*=attrib]'),
    )
    return targets.flatMap((target) => {
      const parts = [target, ...((target as HTMLInputElement).labels ?? [])]
      const boxes = parts.map((part) => part.getBoundingClientRect()).filter(({ width }) => width > 1)
      if (boxes.some(({ width, height }) => Math.min(width, height) >= least)) return []
      target.scrollIntoView({ block: 'center' })
      const { x, y, width, height } = target.getBoundingClientRect()
      const isHit = (dy: number) => {
        const hit = document.elementFromPoint(x + width / 2, y + height / 2 + dy)
        return parts.some((part) => part.contains(hit))
      }
      let [up, down] = [0, 0]
      while (up < least && isHit(-up - 1)) up++
      while (down < least && isHit(down + 1)) down++
      if (up + down + 1 >= least) return []
      const name = target.getAttribute('aria-label') ?? target.textContent ?? target.tagName
      return [`${name}: ${Math.round(width)} x ${Math.round(height)}`]
    })
  }, fingertipPixels)
}
