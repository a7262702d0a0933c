import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What axe calls its rules that another colour scheme can break. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Nothing that axe knows of keeps anybody from using the page as it is now, in light and in dark colours. */
export async function isAccessible(page: Page): Promise<void> {
  // Colours that change by and by are neither those of before nor those of after.
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const inLight = await violationsOf(axeOn(page))
  await page.emulateMedia({ colorScheme: 'dark' })
  const inDark = await violationsOf(axeOn(page).withRules(colorRules))
  await page.emulateMedia({ colorScheme: 'light' })
  expect({ inLight, inDark }, 'accessibility violations').toEqual({ inLight: [], inDark: [] })
}

/** Without frames there is nothing to put together, for which axe would open a page of its own each time. */
const axeOn = (page: Page) => new AxeBuilder({ page }).setLegacyMode()

async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}
