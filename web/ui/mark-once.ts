export function markOnce(name: 'map-complete' | 'list-readable'): void {
  if (performance.getEntriesByName(name).length === 0) performance.mark(name)
}
