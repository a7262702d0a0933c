import { PNG } from 'pngjs'

export type Box = { left: number; top: number; right: number; bottom: number }
export type Rgb = readonly [red: number, green: number, blue: number]

export function rgb(hex: string): Rgb {
  const channel = (start: number) => Number.parseInt(hex.slice(start, start + 2), 16)
  return [channel(1), channel(3), channel(5)]
}

/** Painted pixels, in CSS pixels of the screenshot's element. */
export class Ink {
  readonly #png: PNG
  constructor(screenshot: Buffer) {
    this.#png = PNG.sync.read(screenshot)
  }

  extentOf(color: Rgb, within?: Box, tolerance = 24): Box | null {
    return this.#extent(within, (pixel) => distance(pixel, color) <= tolerance)
  }

  extentOnTopOf(background: Rgb, within: Box, tolerance = 12): Box | null {
    return this.#extent(within, (pixel) => distance(pixel, background) > tolerance)
  }

  count(color: Rgb, within?: Box, tolerance = 24): number {
    let count = 0
    this.#look(within, (pixel) => {
      if (distance(pixel, color) <= tolerance) count += 1
    })
    return count
  }

  colorAt({ x, y }: { x: number; y: number }): Rgb {
    let color: Rgb = [0, 0, 0]
    const pixel = {
      left: Math.floor(x),
      top: Math.floor(y),
      right: Math.floor(x) + 1,
      bottom: Math.floor(y) + 1,
    }
    this.#look(pixel, (found) => {
      color = found
    })
    return color
  }

  colors(within: Box): number {
    const seen = new Set<string>()
    this.#look(within, (pixel) => seen.add(pixel.join()))
    return seen.size
  }

  #extent(within: Box | undefined, isInk: (pixel: Rgb) => boolean): Box | null {
    let box: Box | null = null
    this.#look(within, (pixel, x, y) => {
      if (!isInk(pixel)) return
      box ??= { left: x, top: y, right: x + 1, bottom: y + 1 }
      box.left = Math.min(box.left, x)
      box.top = Math.min(box.top, y)
      box.right = Math.max(box.right, x + 1)
      box.bottom = Math.max(box.bottom, y + 1)
    })
    return box
  }

  #look(within: Box | undefined, visit: (pixel: Rgb, x: number, y: number) => void) {
    const { width, height, data } = this.#png
    const box = within ?? { left: 0, top: 0, right: width, bottom: height }
    for (let y = Math.max(0, Math.floor(box.top)); y < Math.min(height, Math.ceil(box.bottom)); y++)
      for (let x = Math.max(0, Math.floor(box.left)); x < Math.min(width, Math.ceil(box.right)); x++) {
        const at = (y * width + x) * 4
        visit([data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0], x, y)
      }
  }
}

function distance(one: Rgb, other: Rgb): number {
  return Math.max(Math.abs(one[0] - other[0]), Math.abs(one[1] - other[1]), Math.abs(one[2] - other[2]))
}

export const widthOf = (box: Box | null) => (box ? box.right - box.left : 0)
export const heightOf = (box: Box | null) => (box ? box.bottom - box.top : 0)

export function boxAround({ x, y }: { x: number; y: number }, reach: number): Box {
  return { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }
}
