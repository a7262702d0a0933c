import type { Map as EngineMap } from 'maplibre-gl'

// The first picture of a map: each one before it puts it off, and so does every change of the style.

/** Parts outside the first picture do not wait longer for it. */
export const firstPictureWithinMs = 2_000

/** How long what has come waits to be drawn with more. */
const drawnTogetherMs = 600

/** Until the first picture is complete, what comes is drawn together: one new tile costs as much as twenty. */
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
    // Later in the same turn the map may ask for tiles.
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
 * A tile is read when its images are there: one that comes changes no other. The engine would read all tiles with it
 * once more, and draw them again.
 */
export function keepTilesWhenImagesCome(map: EngineMap): void {
  // Each restart of the map makes another style.
  map.on('style.load', () => {
    map.style._afterImageUpdated = () => {}
  })
}
