import { type ComponentType, use } from 'react'
import { ChunkError, loadChunk } from './load-chunk.ts'

type LazyPart<Props> = ComponentType<Props> & {
  /** Resolves even if it fails: the component then loads again. */
  preload(): Promise<void>
}

/** A component that loads when it is first rendered, and again after a failure. Needs a Guard around it. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<ComponentType<Props>> | undefined
  function loadOnce() {
    if (loading) return loading
    const started = loadChunk(load).then(keep, (error: unknown) => {
      const forget = () => {
        loading = undefined
      }
      throw error instanceof ChunkError ? new ChunkError(error.cause, forget) : error
    })
    /** React reads a promise with a status synchronously: a loaded component never shows a loader first. */
    function keep(component: ComponentType<Props>) {
      Object.assign(started, { status: 'fulfilled', value: component })
      return component
    }
    loading = started
    return started
  }
  function Part(props: Props) {
    const Loaded = use(loadOnce())
    return <Loaded {...props} />
  }
  const preload = () =>
    loadOnce().then(
      () => {},
      () => {},
    )
  return Object.assign(Part, { preload })
}
