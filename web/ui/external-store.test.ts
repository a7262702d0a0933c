import { describe, expect, it, vi } from 'vitest'
import { createListeners, createStore } from './external-store.ts'

describe('createStore', () => {
  it('notifies listeners of each change until they stop', () => {
    const store = createStore(1)
    const listener = vi.fn(() => store.get())
    const stop = store.listen(listener)
    store.set(2)
    expect(listener).toHaveLastReturnedWith(2)
    stop()
    store.set(3)
    expect(listener).toHaveBeenCalledTimes(1)
  })
})

describe('createListeners', () => {
  it('passes arguments, and reports whether there are listeners', () => {
    const listeners = createListeners<[number]>()
    const listener = vi.fn()
    const stop = listeners.add(listener)
    expect(listeners.isEmpty()).toBe(false)
    listeners.call(7)
    expect(listener).toHaveBeenCalledExactlyOnceWith(7)
    stop()
    expect(listeners.isEmpty()).toBe(true)
  })
})
