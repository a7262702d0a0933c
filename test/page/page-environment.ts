import { Window } from 'happy-dom'
import { populateGlobal } from 'vitest/runtime'

// A document without layout for page tests. Test files share a process, its modules and the document, because modules
// register listeners only once.

/** Keeps Node's own versions, since the server runs in the same process. */
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
  'File',
  'TextEncoder',
  'TextDecoder',
  'Buffer',
  'performance',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
] as const

if (!('document' in globalThis)) {
  const window = new Window({ url: 'http://127.0.0.1/', width: 1280, height: 800 })
  const retained = Object.fromEntries(fromNode.map((name) => [name, globalThis[name]]))
  populateGlobal(globalThis, window, { bindFunctions: true })
  Object.assign(globalThis, retained)
  giveSizes()
  // Text areas that grow are measured again when fonts have loaded.
  Object.assign(document, { fonts: new EventTarget() })
}

/** Rows are 50 pixels high; all other elements are large enough for a short list. */
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
    // Mantine hides menus of buttons that are off screen.
    getBoundingClientRect: { value: () => new DOMRect(10, 10, 100, 50) },
  })
}
