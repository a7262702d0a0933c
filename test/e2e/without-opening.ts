import type { Page } from '@playwright/test'
import { openingElementId } from '#domain/opening/opening-page.ts'

/** Removes the embedded summary from the page, as if the database were down. */
export async function comeWithoutOpening(page: Page): Promise<void> {
  await page.addInitScript((id) => {
    // Runs before all modules.
    document.addEventListener('readystatechange', () => document.getElementById(id)?.remove(), { once: true })
  }, openingElementId)
}
