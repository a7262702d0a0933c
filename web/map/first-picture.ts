import type { Map as EngineMap } from 'maplibre-gl'

// Each extra picture before the first complete one delays it, and so does each style change.

/** Other parts of the page wait no longer than this. */
export const firstPictureWithinMs = 2_000

/** Maximum wait for more tiles to draw together. */
const drawnTogetherMs = 600

/** Until the first picture is complete: one new tile costs as much to draw as twenty. */
export function drawTogetherAtFirst(map: EngineMap): void {
  const draw = map.triggerRepaint.bind(map)
  let timer: number | undefined
  let isScheduled = false
  let isOver = false
  const drawNow = () => {
    window.clearTimeout(timer)
    timer = undefined
    draw()
  }
  map.triggerRepaint = () => {
    if (isScheduled) return
    isScheduled = true
    // The map may request tiles later in this task.
    queueMicrotask(() => {
      isScheduled = false
      if (isOver || map.isMoving() || map.areTilesLoaded()) drawNow()
      else timer ??= window.setTimeout(drawNow, drawnTogetherMs)
    })
  }
  const end = () => {
    isOver = true
    window.clearTimeout(late)
    map.triggerRepaint = draw
    if (timer !== undefined) drawNow()
  }
  const late = window.setTimeout(end, firstPictureWithinMs)
  map.once('idle', end)
  map.once('remove', () => {
    window.clearTimeout(late)
    window.clearTimeout(timer)
  })
}

/**
 * Tiles are parsed after their images have loaded, so new images never change them. The engine would parse and
 * draw all tiles again.
 */
export function keepTilesWhenImagesCome(map: EngineMap): void {
  map.on('style.load', () => {
    map.style._afterImageUpdated = () => {}
  })
}
