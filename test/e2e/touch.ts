import type { CDPSession, Page } from '@playwright/test'
import type { Point } from './map-canvas.driver.ts'

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

  /** `atMs` is the timestamp of the device. */
  async moveTo({ x, y }: Point, atMs?: number): Promise<void> {
    await this.#send('touchMove', [{ x, y }], atMs)
  }

  async up(atMs?: number): Promise<void> {
    await this.#send('touchEnd', [], atMs)
  }

  async #send(type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[], atMs = Date.now()) {
    await this.#session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: atMs / 1000 })
  }
}

export class Pen {
  readonly #session: CDPSession
  #at: Point = { x: 0, y: 0 }
  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async of(page: Page): Promise<Pen> {
    return new Pen(await page.context().newCDPSession(page))
  }

  async down(at: Point): Promise<void> {
    this.#at = at
    await this.#send('mousePressed')
  }

  async up(): Promise<void> {
    await this.#send('mouseReleased')
  }

  async #send(type: 'mousePressed' | 'mouseReleased') {
    const pressed = { button: 'left', clickCount: 1, pointerType: 'pen' } as const
    await this.#session.send('Input.dispatchMouseEvent', { type, ...this.#at, ...pressed })
  }
}
