import type { CDPSession, Page } from '@playwright/test'
import type { Point } from './map-canvas.driver.ts'

/** One finger on the screen, as the browser receives it from the device. */
export class Finger {
  readonly #session: CDPSession
  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async of(page: Page): Promise<Finger> {
    return new Finger(await page.context().newCDPSession(page))
  }

  async down({ x, y }: Point): Promise<void> {
    await this.#send('touchStart', [{ x, y }])
  }

  async moveTo({ x, y }: Point): Promise<void> {
    await this.#send('touchMove', [{ x, y }])
  }

  async up(): Promise<void> {
    await this.#send('touchEnd', [])
  }

  async #send(type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) {
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}
