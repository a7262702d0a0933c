import { type ComponentType, use } from 'react'
import { ChunkError, loadChunk } from './load-chunk.ts'

type LazyPart<Props> = ComponentType<Props> & {
  /** Loads it early. Resolves also when it fails: the component then loads again. */
  preload(): Promise<void>
}

/** A component that loads when it is first rendered, and again after a failure. Needs a Guard around it. */
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
    // A loaded component renders without a loader.
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
