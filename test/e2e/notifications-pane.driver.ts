import { expect, type Locator, type Page } from '@playwright/test'

export class NotificationsPane {
  readonly tab: Locator
  readonly unread: Locator
  readonly items: Locator
  readonly #markAllRead: Locator

  constructor(page: Page) {
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' })
    this.tab = sidebar.getByRole('tab', { name: /^Notifications/ })
    this.unread = this.tab.getByText('unread').locator('..')
    this.items = sidebar.getByRole('tabpanel').getByRole('listitem')
    this.#markAllRead = sidebar.getByRole('button', { name: 'Mark all as read' })
  }

  async open(): Promise<void> {
    await this.tab.click()
    await expect(this.items.first()).toBeVisible()
  }

  async markAllRead(): Promise<void> {
    if (await this.#markAllRead.isVisible()) await this.#markAllRead.click()
    await expect(this.unread).toBeHidden()
    await expect(this.#markAllRead).toBeHidden()
  }
}
