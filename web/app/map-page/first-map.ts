import { queryOfFilters, readFilters } from '#domain/features/filters.ts'
import { mapOfPath } from '#domain/opening/opening-page.ts'
import { restAddress, tileAddress } from '#web/api/addresses.ts'
import { readOpening } from '#web/api/opening-data.ts'
import { noMatches } from '#web/map/match-tiles.ts'
import type { MapOpening } from '#web/map/start-map.ts'
import { lowQuery, phoneQuery } from '#web/ui/media-queries.ts'
import { chosenBaseMap } from '#web/workspace/base-map-choice.ts'
import { readCamera } from '#web/workspace/map-camera.ts'
import { phoneLayout, sidebarKey, sidebarWidth } from './layout.ts'
import { layersOff, readMapSearch } from './map-search.ts'
import { mainView, viewer } from './map-variant.ts'

/**
 * Starts the map of the address before the page around it has loaded. The page adopts it if its options are
 * equal. Does nothing without the opening data, or when the camera depends on a selection.
 */
export async function startFirstMap(): Promise<void> {
  const opening = openingOf(new URL(window.location.href))
  if (!opening) return
  const { startFirstMap } = await import('#web/map/start-map.ts')
  const container = document.createElement('div')
  Object.assign(container.style, {
    position: 'absolute',
    inset: insetOfMap(),
    zIndex: '-1',
    background: 'var(--ground)',
    colorScheme: opening.isDark ? 'dark' : 'light',
  })
  document.body.append(container)
  try {
    startFirstMap(container, opening)
  } catch {
    container.remove()
  }
}

function openingOf(address: URL): MapOpening | null {
  const shown = mapOfPath(address.pathname)
  const data = readOpening()
  if (!shown || !data?.map) return null
  const { summary, configuration } = data.map
  const search = readMapSearch(Object.fromEntries(address.searchParams))
  const camera = readCamera(address.hash)
  const { due, ...filter } = queryOfFilters(readFilters(search, true), summary.timeZone)
  if (search.select !== undefined && !camera) return null
  const variant = shown.isViewer ? viewer : mainView
  const off = layersOff(search.off)
  return {
    camera: variant.openingCameraOf({ fromAddress: camera, selection: undefined, configuration, summary }),
    bounds: configuration.configuration.mapBounds ?? null,
    baseMap: chosenBaseMap({ ...variant.baseMapsOf(configuration), chosen: search.base }),
    tileServices: data.settings.tileServices,
    isDark: isDark(),
    styleName: variant.styleName,
    tiles: search.text === undefined && due === undefined ? tileAddress(summary.id, filter) : noMatches,
    rest: restAddress(summary.id, { ...filter, due, text: search.text }),
    isVisible: Object.fromEntries(variant.groups.map(({ key }) => [key, !off.includes(key)])),
  }
}

function insetOfMap(): string {
  const matches = (query: string) => window.matchMedia(query).matches
  if (!matches(phoneQuery)) return `0 0 0 ${sidebarWidth(localStorage.getItem(sidebarKey) === 'true')}`
  const head = phoneLayout['--head-height']
  return matches(lowQuery)
    ? `${head} 0 0 ${phoneLayout['--beside-width']}`
    : `${head} 0 ${phoneLayout['--half-sheet']} 0`
}

/** Same rule as Mantine's color scheme. */
function isDark(): boolean {
  const stored = localStorage.getItem('mantine-color-scheme-value')
  if (stored === 'dark' || stored === 'light') return stored === 'dark'
  return window.matchMedia('(prefers-color-scheme: dark)').matches
}
