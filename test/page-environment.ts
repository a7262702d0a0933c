import { Window } from 'happy-dom'
import { populateGlobal } from 'vitest/runtime'

// Gives the tests of the page a document without layout. Test files share a process and its modules. They share the
// document as well, because modules register listeners on it only once.

/** Node's own versions stay, because the server in the same process needs them. */
const fromNode = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'AbortController',
  'AbortSignal',
  'URL',
  'URLSearchParams',
  'Blob',
  'TextEncoder',
  'TextDecoder',
  'Buffer',
  'performance',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
] as const

if (!('document' in globalThis)) {
  const window = new Window({ url: 'http://127.0.0.1/', width: 1000, height: 680 })
  const retained = Object.fromEntries(fromNode.map((name) => [name, globalThis[name]]))
  populateGlobal(globalThis, window, { bindFunctions: true })
  Object.assign(globalThis, retained)
  giveSizes()
}

/** Rows are 50 pixels high, everything else is large enough to hold a short list. */
function giveSizes() {
  const height = {
    get(this: HTMLElement) {
      return this.matches('[role=option], [role=row]') ? 50 : 1_000
    },
  }
  const width = { get: () => 1_000 }
  Object.defineProperties(HTMLElement.prototype, {
    offsetWidth: width,
    clientWidth: width,
    offsetHeight: height,
    clientHeight: height,
    // Menus are hidden beside a button that has no room on the screen.
    getBoundingClientRect: { value: () => new DOMRect(10, 10, 100, 50) },
  })
}
