import { expect, type Locator, type Page } from '@playwright/test'

export const people = {
  administrator: 'Grace Whitfield',
  manager: 'Daniel Okafor',
  editor: 'Rosa Delgado',
  nobody: 'Tom Brandt',
} as const
export type Part = keyof typeof people

export class SignInPages {
  readonly page: Page
  readonly heading: Locator
  readonly tryAgain: Locator
  readonly cancel: Locator
  constructor(page: Page) {
    this.page = page
    this.heading = page.getByRole('heading', { level: 1 })
    this.tryAgain = page.getByRole('link', { name: 'Try again' })
    this.cancel = page.getByRole('button', { name: 'Cancel' })
  }

  async open(query: Record<string, string> = {}): Promise<void> {
    await this.page.goto(`/sign-in?${new URLSearchParams(query)}`)
  }

  person(name: string): Locator {
    return this.page.getByRole('button', { name })
  }

  async typePassword(name: string, password: string): Promise<void> {
    const summary = this.page.getByText('Sign in with name and password')
    if (!(await this.page.getByLabel('Password').isVisible())) await summary.click()
    await this.page.getByLabel('Name', { exact: true }).fill(name)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  async personName(): Promise<string | null> {
    const answer = await this.page.request.get('/api/session')
    return (await answer.json()).person?.name ?? null
  }
}

export class SessionEnded {
  readonly page: Page
  readonly dialog: Locator

  constructor(page: Page) {
    this.page = page
    this.dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  }

  button(name: 'Sign in again' | 'Try again' | 'Not now'): Locator {
    return this.dialog.getByRole('button', { name })
  }

  async openWindow(button: 'Sign in again' | 'Try again'): Promise<Page> {
    const opened = this.page.waitForEvent('popup')
    await this.button(button).click()
    const popup = await opened
    await expect(new SignInPages(popup).heading).toHaveText('Choose a demo user')
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
export const blockLiveUpdates = (page: Page) => page.route('**/api/events**', (route) => route.abort())
