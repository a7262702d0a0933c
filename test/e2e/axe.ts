import { expect, type Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

/** Rules of axe that depend on the color scheme. */
const colorRules = ['color-contrast', 'link-in-text-block']

export async function isAccessible(page: Page): Promise<void> {
  await showIn('light', page)
  // Menus and tooltips are outside of all landmarks, as dialogs are; axe exempts dialogs only.
  const hasMenu = (await page.locator('[role=menu], [role=tooltip]').count()) > 0
  const inLight = await violationsOf(page, { rules: { region: { enabled: !hasMenu } } })
  await showIn('dark', page)
  const inDark = await violationsOf(page, { runOnly: { type: 'rule', values: colorRules } })
  await showIn('light', page)
  expect({ inLight, inDark }, 'accessibility violations').toEqual({ inLight: [], inDark: [] })
}

/** Reduced motion skips the color transitions. */
async function showIn(colorScheme: 'light' | 'dark', page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // The app follows the browser with a script; sign-in pages have no script.
  await page.waitForFunction((scheme) => {
    const { mantineColorScheme } = document.documentElement.dataset
    return mantineColorScheme === undefined || mantineColorScheme === scheme
  }, colorScheme)
}

async function violationsOf(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (what) => (window as unknown as { axe: typeof axe }).axe.run(what),
    { ...options, resultTypes: ['violations'] } satisfies RunOptions,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
