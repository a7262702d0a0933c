import { type ComponentType, use } from 'react'
import { ChunkError, loadChunk } from './load-chunk.ts'

type LazyPart<Props> = ComponentType<Props> & {
  /** Loads it before it is needed; whether that succeeds is seen when it is. Resolves when it has, or has failed. */
  preload(): Promise<void>
}

/** A component that is loaded when it is first shown, and again where that failed. Stands in a Guard. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined
  function loadOnce() {
    loading ??= loadChunk(load).then(keep, (error: unknown) => {
      const forget = () => {
        loading = undefined
      }
      throw error instanceof ChunkError ? new ChunkError(error.cause, forget) : error
    })
    return loading
  }
  function keep(component: ComponentType<Props>) {
    loaded = component
    return component
  }
  function Part(props: Props) {
    // What is there already shows nothing else first.
    const Loaded = loaded ?? use(loadOnce())
    return <Loaded {...props} />
  }
  const preload = () =>
    loadOnce().then(
      () => {},
      () => {},
    )
  return Object.assign(Part, { preload })
}
