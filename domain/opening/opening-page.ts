import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'

/** The first list of a map screen. */
export const openingList = (isViewer: boolean): { kind?: FeatureKind; shape?: FeatureShape } =>
  isViewer ? { shape: 'point' } : { kind: 'incident' }

/** As many as the page asks for at once. */
export const openingListLimit = 100

/** The element of the page that holds it, as JSON. */
export const openingElementId = 'opening-data'

/**
 * Which map an address of the page shows: `mapId` null is the default one. Undefined for the configuration area. As the
 * routes of the page are: any path that none of them knows is the main view.
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
