/** Notes when something first happened on this page, for measurements and the browser's own tools. */
export function markOnce(name: 'map-complete' | 'list-readable'): void {
  if (performance.getEntriesByName(name).length === 0) performance.mark(name)
}
