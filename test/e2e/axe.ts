import { expect, type Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'

/** What axe calls its rules that another colour scheme can break. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Nothing that axe knows of keeps anybody from using the page as it is now, in light and in dark colours. */
export async function isAccessible(page: Page): Promise<void> {
  await showIn('light', page)
  const inLight = await violationsOf(page)
  await showIn('dark', page)
  const inDark = await violationsOf(page, { runOnly: { type: 'rule', values: colorRules } })
  await showIn('light', page)
  expect({ inLight, inDark }, 'accessibility violations').toEqual({ inLight: [], inDark: [] })
}

/** With reduced motion nothing is in transition: axe finds the new colours as soon as the page has them. */
async function showIn(colorScheme: 'light' | 'dark', page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // The page follows the browser by a script of its own; the pages of a sign-in have none.
  await page.waitForFunction((scheme) => {
    const { mantineColorScheme } = document.documentElement.dataset
    return mantineColorScheme === undefined || mantineColorScheme === scheme
  }, colorScheme)
}

/** Axe is a large script: it is put into a page once. */
async function violationsOf(page: Page, options: RunOptions = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (what) => (window as unknown as { axe: typeof axe }).axe.run(what),
    { ...options, resultTypes: ['violations'] } satisfies RunOptions,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
