/** Marks the first time of an event on this page, for measurements. */
export function markOnce(name: 'map-complete' | 'list-readable'): void {
  if (performance.getEntriesByName(name).length === 0) performance.mark(name)
}
