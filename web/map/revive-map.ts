import { type Map as EngineMap, getGlobalDispatcher } from 'maplibre-gl'

// iOS terminates workers of pages in the background (maplibre-gl-js#8461), and a reset of the graphics driver loses
// all WebGL contexts.

/** A worker may be loading or parsing a large tile. Doubled with each restart that this causes. */
let answerWithinMs = 3_000
const maxPatienceMs = 60_000

/**
 * All maps then reload their tiles. Calls `onDead` before the restart. The engine checks workers only when the
 * page returns to the foreground.
 */
export async function restartDeadWorkers(onDead: () => void): Promise<void> {
  const dispatcher = getGlobalDispatcher()
  if (await dispatcher.ping(answerWithinMs)) return
  onDead()
  answerWithinMs = Math.min(2 * answerWithinMs, maxPatienceMs)
  await dispatcher.ensureWorkers()
}

/** The engine has none while its WebGL context is lost. */
export const hasStyle = (map: EngineMap): boolean => Boolean(map.style)

/**
 * Gives a map whose WebGL context is lost a new canvas, and rebuilds its style there: browsers do not always
 * restore a context. Camera, controls and listeners stay. Returns false if the browser gives no context. Known
 * weakness: this uses private members of the engine; stopped-map.spec.ts fails if they change.
 */
export function replaceLostCanvas(map: EngineMap): boolean {
  const lost = map.getCanvas()
  const canvas = lost.cloneNode() as HTMLCanvasElement
  // The engine requests its context again with the same attributes, and gets this one.
  const attributes = { ...map._canvasContextAttributes, alpha: true, depth: true, stencil: true }
  if (!canvas.getContext('webgl2', { ...attributes, premultipliedAlpha: true })) return false
  for (const [name, listener] of [
    ['webglcontextlost', map._contextLost],
    ['webglcontextrestored', map._contextRestored],
  ] as [string, EventListener][]) {
    lost.removeEventListener(name, listener)
    canvas.addEventListener(name, listener)
  }
  const hadFocus = document.activeElement === lost
  lost.replaceWith(canvas)
  map._canvas = canvas
  if (hadFocus) canvas.focus()
  map._contextRestored(new WebGLContextEvent('webglcontextrestored'))
  return true
}
