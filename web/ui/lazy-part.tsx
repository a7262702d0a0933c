import { type ComponentType, use } from 'react'
import { ChunkError, loadChunk } from './load-chunk.ts'

type LazyPart<Props> = ComponentType<Props> & {
  /** Loads it before it is needed; whether that succeeds is seen when it is. */
  preload(): void
}

/** A component that is loaded when it is first shown, and again where that failed. Stands in a Guard. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<ComponentType<Props>> | undefined
  function loadOnce() {
    loading ??= loadChunk(load).catch((error: unknown) => {
      const forget = () => {
        loading = undefined
      }
      throw error instanceof ChunkError ? new ChunkError(error.cause, forget) : error
    })
    return loading
  }
  function Part(props: Props) {
    const Loaded = use(loadOnce())
    return <Loaded {...props} />
  }
  const preload = () => void loadOnce().catch(() => {})
  return Object.assign(Part, { preload })
}
