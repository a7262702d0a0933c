import { expect, type Locator, type Page } from '@playwright/test'
import { people } from './config-area.driver.ts'
import { SignInPages } from './sign-in.driver.ts'

export class SessionEnded {
  readonly page: Page
  readonly dialog: Locator
  readonly failure: Locator

  constructor(page: Page) {
    this.page = page
    this.dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    this.failure = this.dialog.getByRole('alert')
  }

  button(name: 'Sign in again' | 'Try again' | 'Not now'): Locator {
    return this.dialog.getByRole('button', { name })
  }

  async openWindow(button: 'Sign in again' | 'Try again'): Promise<Page> {
    const opened = this.page.waitForEvent('popup')
    await this.button(button).click()
    const popup = await opened
    await expect(new SignInPages(popup).heading).toHaveText('Choose who to be')
    return popup
  }

  async signInWithin(popup: Page): Promise<void> {
    const closed = popup.waitForEvent('close')
    await new SignInPages(popup).person(people.administrator).click()
    await closed
    await expect(this.dialog).toBeHidden()
  }
}

/** Without live updates the page only learns of an ended session when a request fails. */
export const untold = (page: Page) => page.route('**/api/events**', (route) => route.abort())
