import { expect, type Locator, type Page } from '@playwright/test'
import { people } from './config-area.driver.ts'
import { SignInPages } from './sign-in.driver.ts'

/** The dialog that asks to sign in again in the middle of something. */
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

  /** Presses the button and returns the window that it opens. */
  async openWindow(button: 'Sign in again' | 'Try again'): Promise<Page> {
    const opened = this.page.waitForEvent('popup')
    await this.button(button).click()
    const popup = await opened
    await expect(new SignInPages(popup).heading).toHaveText('Choose who to be')
    return popup
  }

  /** Signs in there, upon which the window closes by itself. */
  async signInWithin(popup: Page): Promise<void> {
    const closed = popup.waitForEvent('close')
    await new SignInPages(popup).person(people.administrator).click()
    await closed
    await expect(this.dialog).toBeHidden()
  }
}

/** The page hears nothing of it by itself: it finds out by what it is refused. */
export const untold = (page: Page) => page.route('**/api/events**', (route) => route.abort())
