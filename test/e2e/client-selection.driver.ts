import type { Locator, Page } from '@playwright/test'

export class ClientSelection {
  readonly page: Page
  readonly heading: Locator
  readonly searchBox: Locator
  readonly cards: Locator
  readonly count: Locator
  readonly addButton: Locator
  readonly dialog: Locator
  readonly name: Locator
  readonly location: Locator

  constructor(page: Page) {
    this.page = page
    this.heading = page.getByRole('heading', { name: 'Client Selection', level: 1 })
    this.searchBox = page.getByPlaceholder('Search clients...', { exact: true })
    this.cards = page.getByRole('main').locator('li')
    this.count = page.getByRole('main').locator('p').and(page.getByRole('status'))
    this.addButton = page.getByRole('button', { name: 'Add client' })
    this.dialog = page.getByRole('dialog')
    this.name = this.dialog.getByRole('textbox', { name: 'Name', exact: true })
    this.location = this.dialog.getByLabel('Location')
  }

  card(name: string): Locator {
    return this.cards.filter({ has: this.page.getByRole('heading', { name, exact: true }) })
  }

  select(name: string): Locator {
    return this.page.getByRole('link', { name: `Select ${name}`, exact: true })
  }

  menuOf(name: string): Locator {
    return this.page.getByRole('button', { name: `More actions for ${name}`, exact: true })
  }

  async choose(name: string, item: 'Edit' | 'Archive' | 'Restore'): Promise<void> {
    await this.menuOf(name).click()
    await this.page.getByRole('menuitem', { name: item }).click()
  }

  submit(label: 'Add client' | 'Save'): Locator {
    return this.dialog.getByRole('button', { name: label })
  }
}
