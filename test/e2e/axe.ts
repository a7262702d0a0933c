import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Nothing that axe knows of keeps anybody from using the page as it is now. */
export async function isAccessible(page: Page): Promise<void> {
  // Without frames there is nothing to put together, for which it would open a page of its own each time.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
  expect(found, 'accessibility violations').toEqual([])
}
