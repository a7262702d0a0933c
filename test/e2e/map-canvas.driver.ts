import { expect, type Locator, type Page } from '@playwright/test'
import { boxAround, Ink } from './ink.ts'
import { stubTileColors } from './stub-tiles.ts'
import { isWithoutPixels } from './without-pixels.ts'

export type Place = { lat: number; lng: number }
export type Camera = Place & { zoom: number }
export type Point = { x: number; y: number }

const equatorMeters = 40_075_016.68557849

/** Width of the world in pixels at a zoom of 256-pixel tiles. */
const worldPixels = (zoom: number) => 256 * 2 ** zoom

function toWorld({ lat, lng }: Place, zoom: number): Point {
  const sin = Math.sin((lat * Math.PI) / 180)
  return {
    x: (lng / 360 + 0.5) * worldPixels(zoom),
    y: (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * worldPixels(zoom),
  }
}

export function pixelsOfMeters(meters: number, lat: number, zoom: number): number {
  return (meters * worldPixels(zoom)) / (equatorMeters * Math.cos((lat * Math.PI) / 180))
}

export function pixelsBetween(from: Place, to: Place, zoom: number): Point {
  const a = toWorld(from, zoom)
  const b = toWorld(to, zoom)
  return { x: b.x - a.x, y: b.y - a.y }
}

export class MapCanvas {
  readonly page: Page
  readonly section: Locator
  readonly canvas: Locator
  constructor(page: Page) {
    this.page = page
    this.section = page.locator('section[data-map-state]')
    this.canvas = this.section.locator('canvas')
  }

  async isComplete(): Promise<void> {
    await expect(this.section).toHaveAttribute('data-map-state', 'complete', { timeout: 20_000 })
  }

  /** Waits for the camera in the address. */
  async camera(): Promise<Camera> {
    await expect.poll(() => readHash(this.page.url()), { message: 'a camera in the address' }).toBeTruthy()
    return readHash(this.page.url()) as Camera
  }

  async cameraIs(expected: Camera, tolerancePixels = 2): Promise<void> {
    await expect
      .poll(
        () => {
          const camera = readHash(this.page.url())
          if (!camera) return 'none'
          const { x, y } = pixelsBetween(expected, camera, expected.zoom)
          const isThere = Math.abs(camera.zoom - expected.zoom) < 0.02 && Math.hypot(x, y) <= tolerancePixels
          return isThere ? 'there' : `${camera.zoom}/${camera.lat}/${camera.lng}`
        },
        { message: `camera at ${expected.zoom}/${expected.lat}/${expected.lng}`, timeout: 10_000 },
      )
      .toBe('there')
  }

  async pointOf(place: Place): Promise<Point> {
    const camera = await this.camera()
    const { width, height } = await this.box()
    const { x, y } = pixelsBetween(camera, place, camera.zoom)
    return { x: width / 2 + x, y: height / 2 + y }
  }

  async box() {
    const box = await this.section.boundingBox()
    if (!box) throw new Error('There is no map on the page.')
    return box
  }

  async onPage({ x, y }: Point): Promise<Point> {
    const box = await this.box()
    return { x: box.x + x, y: box.y + y }
  }

  async ink(): Promise<Ink> {
    if (isWithoutPixels(this.page.context()))
      throw new Error('Nothing is painted here: tag the test @painted.')
    await this.isComplete()
    return new Ink(await this.section.screenshot({ scale: 'css', animations: 'allow' }))
  }

  /** Features that do not match a filter are drawn at 25%, which is no ink. */
  showsInkAt(places: readonly (Place & { name: string })[]) {
    return expect.poll(async () => {
      const ink = await this.ink()
      const painted = await Promise.all(
        places.map(async (place) => {
          const around = boxAround(await this.pointOf(place), 6)
          return ink.extentOnTopOf(stubTileColors.street, around, 100) !== null
        }),
      )
      return places.filter((_, index) => painted[index]).map(({ name }) => name)
    })
  }

  placeOnPage = async (place: Place): Promise<Point> => this.onPage(await this.pointOf(place))

  async click(place: Place, options: { button?: 'left' | 'right'; above?: number } = {}): Promise<void> {
    // The map may still change its size, and its camera reaches the address a moment later.
    let before: Point | null = null
    await expect
      .poll(async () => {
        await this.isComplete()
        const last = before
        before = await this.placeOnPage(place)
        return last?.x === before.x && last?.y === before.y
      })
      .toBe(true)
    const { x, y } = await this.placeOnPage(place)
    await this.page.mouse.click(x, y - (options.above ?? 0), { button: options.button ?? 'left' })
  }

  /** Releases without stopping first. */
  async drag(from: Point, by: Point, { steps = 4 } = {}): Promise<void> {
    const start = await this.onPage(from)
    await this.page.mouse.move(start.x, start.y)
    await this.page.mouse.down()
    await this.page.mouse.move(start.x + by.x, start.y + by.y, { steps })
    await this.page.mouse.up()
  }

  /**
   * Releases in motion. The page's clock advances one frame between moves, so that the speed does not depend on the
   * machine; call `page.clock.install()` before opening the page.
   */
  async flick(from: Point, by: Point, shares = [0.25, 0.5, 0.75, 1]): Promise<void> {
    const frameMs = 16
    // The clock cannot be set back.
    const aheadMs = 10_000
    const { clock } = this.page
    const at = (share: number) => [start.x + by.x * share, start.y + by.y * share] as const
    const start = await this.onPage(from)
    await this.page.mouse.move(...at(0))
    await clock.pauseAt((await this.page.evaluate(() => Date.now())) + aheadMs)
    await this.page.mouse.down()
    for (const share of shares) {
      await this.page.mouse.move(...at(share))
      await clock.runFor(frameMs)
    }
    await this.page.mouse.up()
    await clock.resume()
  }

  async wheel(at: Point, ...deltas: number[]): Promise<void> {
    const { x, y } = await this.onPage(at)
    await this.page.mouse.move(x, y)
    await Promise.all(deltas.map((delta) => this.page.mouse.wheel(0, delta)))
  }

  async press(...keys: string[]): Promise<void> {
    await this.canvas.focus()
    for (const key of keys) await this.page.keyboard.press(key)
  }

  async middle(): Promise<Point> {
    const { width, height } = await this.box()
    return { x: Math.round(width / 2), y: Math.round(height / 2) }
  }
}

export function readHash(url: string): Camera | null {
  const match = /#([\d.]+)\/(-?[\d.]+)\/(-?[\d.]+)$/.exec(url)
  if (!match) return null
  const [zoom, lat, lng] = match.slice(1).map(Number) as [number, number, number]
  return { zoom, lat, lng }
}
