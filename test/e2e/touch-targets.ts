import type { Page } from '@playwright/test'

const fingertipPixels = 44

/**
 * Returns controls smaller than a fingertip, with their size. Measures where a press arrives: a link may cover its
 * card, and a checkbox its label.
 */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const dialogs = [...document.querySelectorAll('[role=dialog]')]
    const root = dialogs.at(-1) ?? document.body
    const selector = 'button, a[href], input, select, summary, [role=tab], [role=slider], [role=menuitem]'
    // Links in the attribution are exempt.
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
      // Below a newer notification.
      if (target.closest('[data-notices]') && !isHit(0)) return []
      let [up, down] = [0, 0]
      while (up < least && isHit(-up - 1)) up++
      while (down < least && isHit(down + 1)) down++
      if (up + down + 1 >= least) return []
      const name = target.getAttribute('aria-label') ?? target.textContent ?? target.tagName
      return [`${name}: ${Math.round(width)} x ${Math.round(height)}`]
    })
  }, fingertipPixels)
}
