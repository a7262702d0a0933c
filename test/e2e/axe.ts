import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What axe calls its rules that another colour scheme can break. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Nothing that axe knows of keeps anybody from using the page as it is now, in light and in dark colours. */
export async function isAccessible(page: Page): Promise<void> {
  await showIn('light', page)
  const inLight = await violationsOf(axeOn(page))
  await showIn('dark', page)
  const inDark = await violationsOf(axeOn(page).withRules(colorRules))
  await showIn('light', page)
  expect({ inLight, inDark }, 'accessibility violations').toEqual({ inLight: [], inDark: [] })
}

/** Colours that change by and by are neither those of before nor those of after: waits until none does. */
async function showIn(colorScheme: 'light' | 'dark', page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(async () => {
    // The next frame has the new colours as the aim of transitions, the one after shows the first of them.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame)
    const ending = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
      )
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** Without frames there is nothing to put together, for which axe would open a page of its own each time. */
const axeOn = (page: Page) => new AxeBuilder({ page }).setLegacyMode()

async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}
