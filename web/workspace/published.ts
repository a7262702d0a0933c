import { useSyncExternalStore } from 'react'

/** What one part of a screen knows, and a tool on the map shows: neither knows the other. */
export function createPublished<Value>() {
  let present: Value | null = null
  const listeners = new Set<() => void>()

  function tell(value: Value | null) {
    present = value
    for (const listener of listeners) listener()
  }
  function listen(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  return {
    /** Null while there is nothing. */
    use: (): Value | null => useSyncExternalStore(listen, () => present),
    /** Returns how to take it back. */
    publish(value: Value) {
      tell(value)
      return () => {
        if (present === value) tell(null)
      }
    },
  }
}
