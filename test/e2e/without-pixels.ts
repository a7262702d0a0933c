import type { BrowserContext } from '@playwright/test'

const contexts = new WeakSet<BrowserContext>()

/**
 * Replaces WebGL by a stub that draws nothing: software rendering would cost a quarter of a test. The map engine
 * still requests tiles, moves its camera and answers queries of rendered features.
 */
export async function withoutPixels(context: BrowserContext): Promise<void> {
  contexts.add(context)
  await context.addInitScript(drawNothing)
}

export const isWithoutPixels = (context: BrowserContext) => contexts.has(context)

/** Runs in the page. */
function drawNothing() {
  const { getContext } = HTMLCanvasElement.prototype
  HTMLCanvasElement.prototype.getContext = function (
    this: HTMLCanvasElement,
    kind: string,
    ...more: never[]
  ) {
    return kind === 'webgl2' ? idleContext(this) : getContext.call(this, kind, ...more)
  } as typeof getContext

  const idleContexts = new WeakMap<HTMLCanvasElement, object>()
  function idleContext(canvas: HTMLCanvasElement) {
    const context = idleContexts.get(canvas) ?? createIdleContext(canvas)
    idleContexts.set(canvas, context)
    return context
  }

  function createIdleContext(canvas: HTMLCanvasElement) {
    const context: Record<string, unknown> = {}
    for (const [name, { value }] of Object.entries(
      Object.getOwnPropertyDescriptors(WebGL2RenderingContext.prototype),
    )) {
      if (typeof value === 'number') context[name] = value
      else if (/^create[A-Z]/.test(name)) context[name] = () => ({})
      else if (typeof value === 'function') context[name] = () => null
    }
    const isDone = (_: unknown, what: unknown) => (what === context.ACTIVE_ATTRIBUTES ? 0 : true)
    let attributes = 0
    return Object.defineProperties(
      Object.assign(context, {
        canvas,
        isContextLost: () => false,
        getError: () => context.NO_ERROR,
        getContextAttributes: () => ({ alpha: true, antialias: false, stencil: true }),
        getParameter: (what: unknown) => (what === context.MAX_TEXTURE_SIZE ? 4096 : 0),
        getShaderParameter: isDone,
        getProgramParameter: isDone,
        getAttribLocation: () => attributes++ % 16,
        getUniformLocation: () => ({}),
        checkFramebufferStatus: () => context.FRAMEBUFFER_COMPLETE,
      }),
      {
        drawingBufferWidth: { get: () => canvas.width },
        drawingBufferHeight: { get: () => canvas.height },
      },
    )
  }
}
