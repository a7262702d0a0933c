import { useSyncExternalStore } from 'react'

export function createListeners<Args extends unknown[] = []>() {
  const listeners = new Set<(...args: Args) => void>()
  return {
    add(listener: (...args: Args) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    call(...args: Args) {
      for (const listener of listeners) listener(...args)
    },
    isEmpty: () => listeners.size === 0,
  }
}

export type Store<Value> = {
  get(): Value
  /** Notifies the listeners, even if the value is the same. */
  set(value: Value): void
  listen(listener: () => void): () => void
  use(): Value
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = createListeners()
  const get = () => value
  return {
    get,
    set(changed) {
      value = changed
      listeners.call()
    },
    listen: listeners.add,
    use: () => useSyncExternalStore(listeners.add, get),
  }
}

export function createPublished<Value>() {
  const store = createStore<Value | null>(null)
  return {
    use: store.use,
    useIs: (test: (value: Value) => boolean) =>
      useSyncExternalStore(store.listen, () => {
        const value = store.get()
        return value !== null && test(value)
      }),
    publish(value: Value) {
      store.set(value)
      return () => {
        if (store.get() === value) store.set(null)
      }
    },
  }
}
