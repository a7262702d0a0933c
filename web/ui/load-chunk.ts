const pausesMs = [300, 1_200]

const arrivesWithinMs = 30_000

export class ChunkError extends Error {
  readonly forget: () => void
  constructor(cause: unknown, forget = () => {}) {
    super('Could not load part of the page.', { cause })
    this.forget = forget
  }
}

class LateChunkError extends ChunkError {}

/**
 * Loads a part of the program, and retries short failures of the network. Throws a ChunkError when it cannot be loaded;
 * errors of the chunk's code are passed on.
 */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
  const needed = new Set<string>()
  for (const pauseMs of [...pausesMs, null]) {
    const missingBefore = missingStyles()
    try {
      return await inTime(reloadStyles(needed).then(load))
    } catch (error) {
      if (error instanceof LateChunkError || !isNotLoaded(error)) throw error
      for (const href of missingStyles()) if (!missingBefore.has(href)) needed.add(href)
      if (pauseMs === null) throw new ChunkError(error)
      await passedOrOnline(pauseMs)
    }
  }
  throw new ChunkError(null)
}

function isNotLoaded(error: unknown): boolean {
  const words = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i
  return error instanceof ChunkError || (error instanceof Error && words.test(error.message))
}

type Outcome = { href: string; isLoaded: boolean }

/** Style sheets that failed to load, with the result of loading them again. The bundler loads each only once. */
const failedStyles = new Map<HTMLLinkElement, Promise<Outcome> | null>()

export function watchStyles() {
  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.set(target, null)
    },
    { capture: true },
  )
}

function missingStyles(): Set<string> {
  return new Set([...failedStyles.keys()].map(({ href }) => href))
}

async function reloadStyles(needed: ReadonlySet<string>): Promise<void> {
  const outcomes = await Promise.all(
    [...failedStyles].map(([failed, reloading]) => reloading ?? reload(failed)),
  )
  if (outcomes.some(({ href, isLoaded }) => !isLoaded && needed.has(href))) throw new ChunkError(null)
}

function reload(failed: HTMLLinkElement): Promise<Outcome> {
  const reloading = new Promise<Outcome>((resolve) => {
    const again = failed.cloneNode() as HTMLLinkElement
    const settle = (isLoaded: boolean) => {
      failedStyles.delete(failed)
      resolve({ href: failed.href, isLoaded })
    }
    again.onload = () => settle(true)
    again.onerror = () => settle(false)
    failed.replaceWith(again)
  })
  failedStyles.set(failed, reloading)
  return reloading
}

function inTime<Chunk>(loading: Promise<Chunk>): Promise<Chunk> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(() => reject(new LateChunkError(null)), arrivesWithinMs)
    loading.then(resolve, reject).finally(() => window.clearTimeout(timer))
  })
}

function passedOrOnline(pauseMs: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      window.clearTimeout(timer)
      window.removeEventListener('online', go)
      resolve()
    }
    const timer = window.setTimeout(go, pauseMs)
    window.addEventListener('online', go)
  })
}
