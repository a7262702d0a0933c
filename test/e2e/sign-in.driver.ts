import type { Locator, Page } from '@playwright/test'

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
    const summary = this.page.getByText('Use a name and a password')
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
