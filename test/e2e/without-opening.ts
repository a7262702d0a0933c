import type { Page } from '@playwright/test'
import { openingElementId } from '#domain/opening/opening-page.ts'

/** The page comes without what it opens with, as from a server whose database is away: it asks for it then. */
export async function comeWithoutOpening(page: Page): Promise<void> {
  await page.addInitScript((id) => {
    // Before any module runs.
    document.addEventListener('readystatechange', () => document.getElementById(id)?.remove(), { once: true })
  }, openingElementId)
}
