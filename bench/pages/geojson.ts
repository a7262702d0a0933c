import type { ExpressionSpecification, FilterSpecification, LayerSpecification } from 'maplibre-gl'
import type { DataLayer } from '#web/map/map-style.ts'
import { shapeStyle } from '#web/map/shape-style.ts'
import { showBareMap } from './bare-map.ts'
import { dataUrl } from './parameters.ts'

// The same layers over a GeoJSON source, which MapLibre loads as a whole and tiles itself.

const kindOfSourceLayer: Record<string, string> = {
  incidents: 'incident',
  assets: 'asset',
  parcels: 'parcel',
}

const drawn = shapeStyle.drawn.flatMap(({ group, layers }) =>
  layers.map((layer) => ({ group, layer: overGeoJson(layer) })),
)
const map = showBareMap(
  { type: 'geojson', data: dataUrl, maxzoom: 17 },
  drawn.map(({ layer }) => layer),
)

/** A GeoJSON source has one layer: the kind becomes a filter. */
function overGeoJson({ 'source-layer': sourceLayer, ...layer }: DataLayer): LayerSpecification {
  const isOfKind = [
    '==',
    ['get', 'kind'],
    kindOfSourceLayer[sourceLayer] as string,
  ] as ExpressionSpecification
  const filter = 'filter' in layer && layer.filter ? ['all', isOfKind, layer.filter] : isOfKind
  return { ...layer, filter } as LayerSpecification
}

const actions = {
  showLayer(group: string, isShown: boolean) {
    for (const { layer } of drawn.filter((one) => one.group === group))
      map.setLayoutProperty(layer.id, 'visibility', isShown ? 'visible' : 'none')
  },
  filterAssets(type: string | null) {
    const isWanted: ExpressionSpecification = [
      'any',
      ['!=', ['get', 'kind'], 'asset'],
      ['==', ['get', 'type'], type],
    ]
    for (const { layer } of drawn) {
      const { filter } = layer as { filter: FilterSpecification }
      map.setFilter(layer.id, type === null ? filter : (['all', filter, isWanted] as FilterSpecification))
    }
  },
}
Object.assign(window, { actions })

export type MapActions = typeof actions
