import { expect, type Locator, type Page } from '@playwright/test'

export class Imports {
  readonly page: Page
  readonly panel: Locator
  readonly input: Locator

  constructor(page: Page) {
    this.page = page
    this.panel = page.getByRole('region', { name: 'Import', exact: true })
    this.input = this.panel.locator('input[type=file]')
  }

  async isAtStep(name: string): Promise<void> {
    // Files are read by a process that starts first.
    await expect(this.panel.locator('[aria-current=step]')).toHaveText(name, { timeout: 60_000 })
  }

  button(name: string | RegExp): Locator {
    return this.panel.getByRole('button', { name })
  }

  count(name: string): Locator {
    return this.panel
      .locator('dl div')
      .filter({ has: this.page.locator('dt').getByText(name, { exact: true }) })
      .locator('dd')
  }

  row(number: number): Locator {
    return this.panel
      .getByRole('table', { name: 'Preview rows' })
      .getByRole('row')
      .filter({ has: this.page.locator('td:first-child').getByText(String(number), { exact: true }) })
  }

  becomes(column: string): Locator {
    return this.panel.getByLabel(`Field for ${column}`, { exact: true })
  }

  means(word: string): Locator {
    return this.panel.getByLabel(`Meaning of ${word}`, { exact: true })
  }
}
