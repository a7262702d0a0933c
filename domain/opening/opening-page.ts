import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'

export const openingList = (isViewer: boolean): { kind?: FeatureKind; shape?: FeatureShape } =>
  isViewer ? { shape: 'point' } : { kind: 'incident' }

export const openingListLimit = 100

export const openingElementId = 'opening-data'

/** Name of the `meta` element, or of the header, with the time of an offline copy. */
export const copiedAtName = 'copied-at'

/**
 * `mapId` null is the default map; undefined for the configuration area. Like the page's router, unknown paths
 * are the main view.
 */
export function mapOfPath(path: string): { isViewer: boolean; mapId: string | null } | undefined {
  const [screen, id, ...more] = path.split('/').filter((part) => part !== '')
  if (screen === 'config' && (id === undefined || id === 'map') && more.length <= 2) return undefined
  const isKnown = (screen === 'map' || screen === 'webgl') && more.length === 0
  return {
    isViewer: isKnown && screen === 'webgl',
    mapId: isKnown && id !== undefined ? decoded(id) : null,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
