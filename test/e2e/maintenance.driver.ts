import { expect, type Locator, type Page } from '@playwright/test'
import type { MaintenancePlan } from '#domain/maintenance/due.ts'

const dayMs = 86_400_000

/** Days of a run are counted from its start, even past midnight. */
const beganAt = Date.now()

export const dayIn = (days: number) => new Date(beganAt + days * dayMs).toISOString().slice(0, 10)

export const yearly: MaintenancePlan = {
  task: 'Yearly inspection',
  everyMonths: 12,
  month: null,
  firstDue: null,
}

export class Maintenance {
  readonly page: Page
  readonly section: Locator
  readonly entries: Locator
  readonly dialog: Locator

  constructor(page: Page) {
    this.page = page
    this.section = page.getByRole('region', { name: 'Maintenance', exact: true })
    this.entries = this.section.getByRole('list', { name: 'Maintenance entries' }).getByRole('listitem')
    this.dialog = page.getByRole('dialog')
  }

  button(name: string | RegExp): Locator {
    return this.section.getByRole('button', { name, exact: true })
  }

  field(label: string): Locator {
    return this.dialog.getByLabel(new RegExp(`^${label}(\\s*\\*)?\\s*$`))
  }

  async fill(texts: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(texts)) await this.field(label).fill(text)
  }

  async send(button: 'Add' | 'Save'): Promise<void> {
    await this.dialog.getByRole('button', { name: button, exact: true }).click()
    await expect(this.dialog).toBeHidden()
  }
}
