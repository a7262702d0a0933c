import { type Map as EngineMap, getGlobalDispatcher } from 'maplibre-gl'

// Restarts what a browser takes from a map without asking: iOS terminates workers of pages in the background
// (maplibre-gl-js#8461), and a graphics driver that resets loses every WebGL context.

/** A worker may be loading, or reading a large tile, when it is asked. Doubled with each restart that this causes. */
let answerWithinMs = 3_000
const mostPatienceMs = 60_000

/**
 * Restarts the engine's workers if they do not answer; every map then reads its tiles again. `onDead` is called before
 * that. The engine itself checks them only when the page returns to the foreground.
 */
export async function restartDeadWorkers(onDead: () => void): Promise<void> {
  const dispatcher = getGlobalDispatcher()
  if (await dispatcher.ping(answerWithinMs)) return
  onDead()
  answerWithinMs = Math.min(2 * answerWithinMs, mostPatienceMs)
  await dispatcher.ensureWorkers()
}

/** The engine has none while its WebGL context is lost. */
export const hasStyle = (map: EngineMap): boolean => Boolean(map.style)

/**
 * Gives a map whose WebGL context is lost a new canvas with a new context, and rebuilds its style there: browsers do
 * not always restore a lost context. Camera, controls and listeners of the map stay as they are. False if the browser
 * gives no context at the moment. Known weakness: this uses private members of the engine; stopped-map.spec.ts fails if
 * they change.
 */
export function replaceLostCanvas(map: EngineMap): boolean {
  const lost = map.getCanvas()
  const canvas = lost.cloneNode() as HTMLCanvasElement
  // The engine asks for its context again, with the same attributes, and gets this one.
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
