import { createStore, type Store } from '../external-store.ts'

// Unsaved work of one user, which the tab keeps over a reload and until the user signs in again. If the tab has no more
// room, the work stays on the page alone, and the browser asks before the page is left.

export type TabStore<Value> = Store<Value> & {
  /** False if the tab had no room for the last value. */
  isStored(): boolean
}

type TabStoreOptions<Value, Api> = {
  name: string
  /** The value while nothing is unsaved. It is not stored, nor is an empty array. */
  empty: Value
  /** Reads a stored value, possibly from an earlier version of the program; null discards it. Without `read`, nothing is stored, and a reload loses the work. */
  read?(stored: unknown): Value | null
  open(store: TabStore<Value>): Api
}

/** Increased when stored values become unreadable for earlier versions. Version 0 stored the plain value. */
const version = 1

/** Returns a function that opens the work of one user, on one map if `owner` names it; the same object each time. */
export function defineTabStore<Value, Api>({ name, empty, read, open }: TabStoreOptions<Value, Api>) {
  const opened = new Map<string, Api>()
  return (...owner: string[]): Api => {
    const key = ['poa', name, ...owner].join('.')
    const cached = opened.get(key)
    if (cached) return cached
    const api = open(createTabStore(key, empty, read))
    opened.set(key, api)
    return api
  }
}

function createTabStore<Value>(
  key: string,
  empty: Value,
  read?: (stored: unknown) => Value | null,
): TabStore<Value> {
  const store = createStore((read && readStored(key, read)) ?? empty)
  let isStored = true
  return {
    ...store,
    set(value) {
      if (read) isStored = write(key, isEmpty(value, empty) ? null : { version, value })
      store.set(value)
    },
    isStored: () => isStored,
  }
}

const isEmpty = (value: unknown, empty: unknown) =>
  value === empty || (Array.isArray(value) && value.length === 0)

function readStored<Value>(key: string, read: (stored: unknown) => Value | null): Value | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    if (!isVersioned(stored)) return stored === null ? null : read(stored)
    return stored.version === version ? read(stored.value) : null
  } catch {
    return null
  }
}

const isVersioned = (stored: unknown): stored is { version: number; value: unknown } =>
  typeof stored === 'object' && stored !== null && 'version' in stored && 'value' in stored

function write(key: string, stored: object | null): boolean {
  try {
    if (stored === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(stored))
    return true
  } catch {
    return false
  }
}
