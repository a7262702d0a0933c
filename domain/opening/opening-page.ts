/** The element of the page that holds it, as JSON. */
export const openingElementId = 'opening-data'

/** Which map an address of the page shows: `mapId` null is the default one. Undefined for the other screens. */
export function mapOfPath(path: string): { isViewer: boolean; mapId: string | null } | undefined {
  const [screen = '', id = '', ...more] = path.split('/').slice(1)
  if (screen === 'config') return undefined
  const isViewer = screen === 'webgl'
  const named = (screen === 'map' || isViewer) && more.length === 0 && id !== ''
  return { isViewer, mapId: named ? decoded(id) : null }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
