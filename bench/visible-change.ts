import type { Page } from '@playwright/test'

// The time from a click to the last frame that differs from the one before. Compares pixels, so that it works the same
// for every program.

/** Without a change for this long, the picture is final. */
const quietMs = 1_500

/** Runs before the page: keeps the drawing context of the map, and hashes each frame. */
export function watchCanvas() {
  let context: WebGL2RenderingContext | null = null
  let last = 0
  const change = { isWatching: false, startedAt: 0, changedAt: 0, changes: 0 }
  const getContext = HTMLCanvasElement.prototype.getContext
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: unknown[]) {
    const made = (getContext as (...args: unknown[]) => unknown).apply(this, args)
    if (args[0] === 'webgl2') context = made as WebGL2RenderingContext
    return made
  } as typeof getContext
  const pictureHash = () => {
    if (!context) return 0
    const { drawingBufferWidth: width, drawingBufferHeight: height } = context
    const pixels = new Uint32Array(width * height)
    context.readPixels(
      0,
      0,
      width,
      height,
      context.RGBA,
      context.UNSIGNED_BYTE,
      new Uint8Array(pixels.buffer),
    )
    let hash = 0
    let isEmpty = true
    for (const pixel of pixels) {
      hash = (Math.imul(hash, 31) + pixel) | 0
      if (pixel !== 0) isEmpty = false
    }
    // The buffer of an earlier frame cannot be read.
    return isEmpty ? 0 : hash
  }
  const request = window.requestAnimationFrame.bind(window)
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      callback(time)
      if (!change.isWatching) return
      const hash = pictureHash()
      if (hash === 0 || hash === last) return
      last = hash
      change.changes++
      change.changedAt = performance.now()
    })
  const begin = () => {
    if (!change.isWatching || change.startedAt > 0) return
    change.startedAt = performance.now()
    change.changedAt = change.startedAt
  }
  // Captured before the page handles the event.
  for (const event of ['click', 'change']) document.addEventListener(event, begin, true)
  Object.assign(window, { change, beginChange: begin })
}

type Watched = {
  change: { isWatching: boolean; startedAt: number; changedAt: number; changes: number }
  beginChange(): void
}

/** Milliseconds from the first click of `act` to the last change of the picture. */
export async function timeChange(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const { change } = window as unknown as Watched
    Object.assign(change, { isWatching: true, startedAt: 0, changedAt: 0, changes: 0 })
  })
  await act()
  await page.waitForFunction((quiet) => {
    const { change } = window as unknown as Watched
    return change.changes > 0 && change.startedAt > 0 && performance.now() - change.changedAt > quiet
  }, quietMs)
  return page.evaluate(() => {
    const { change } = window as unknown as Watched
    change.isWatching = false
    return change.changedAt - change.startedAt
  })
}
