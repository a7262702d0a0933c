import { Layer, Source } from '@vis.gl/react-maplibre'
import type { Feature, FeatureCollection } from 'geojson'
import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { parcelColors } from '#domain/features/palette.ts'
import { pinsFromZoom } from '#domain/map-configuration/map-constants.ts'
import type { Look } from './look.ts'
import { pinColor, shapeColor } from './pin-style.ts'
import { pinName, shapePinName } from './pins.ts'
import { toEngineZoom } from './zoom.ts'

type SelectionLayersProps = { selected: FeatureDetail | null; look: Look }

/** The selected feature is drawn from a source of its own: visible whatever filters and tiles leave out. */
export function SelectionLayers({ selected, look }: SelectionLayersProps) {
  return (
    <Source id="selection" type="geojson" data={toCollection(selected, look)}>
      <Layer
        id="selection-area"
        type="fill"
        filter={['==', ['geometry-type'], 'Polygon']}
        paint={{ 'fill-color': ['get', 'color'], 'fill-opacity': 0.15 }}
      />
      <Layer
        id="selection-line-halo"
        type="line"
        filter={['==', ['geometry-type'], 'LineString']}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': parcelColors.selected, 'line-width': 14, 'line-opacity': 0.4 }}
      />
      <Layer
        id="selection-casing"
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': '#ffffff', 'line-width': 7, 'line-opacity': 0.9 }}
      />
      <Layer
        id="selection-outline"
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': ['get', 'color'], 'line-width': 3 }}
      />
      <Layer
        id="selection-halo"
        type="circle"
        filter={['has', 'pin']}
        paint={{
          'circle-radius': 24,
          'circle-color': ['get', 'color'],
          'circle-opacity': 0.25,
          'circle-translate': [0, 0],
        }}
      />
      <Layer
        id="selection-dot"
        type="circle"
        maxzoom={toEngineZoom(pinsFromZoom)}
        filter={['==', ['geometry-type'], 'Point']}
        paint={{
          'circle-radius': 6,
          'circle-color': ['get', 'color'],
          'circle-stroke-color': '#ffffff',
          'circle-stroke-width': 2,
        }}
      />
      <Layer
        id="selection-pin"
        type="symbol"
        minzoom={toEngineZoom(pinsFromZoom)}
        filter={['has', 'pin']}
        layout={{
          'icon-image': ['get', 'pin'],
          'icon-anchor': ['get', 'anchor'],
          'icon-allow-overlap': true,
          'icon-ignore-placement': true,
        }}
      />
    </Source>
  )
}

function toCollection(selected: FeatureDetail | null, look: Look): FeatureCollection {
  if (!selected) return { type: 'FeatureCollection', features: [] }
  const { geometry, location } = selected
  const { color, pin, anchor } = look.name === 'types' ? markByType(selected) : markByShape(selected)
  const features: Feature[] = []
  if (shapeOf(selected) !== 'point')
    features.push({ type: 'Feature', geometry: geometry as Feature['geometry'], properties: { color } })
  if (pin !== undefined || shapeOf(selected) === 'point')
    features.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [location.lng, location.lat] },
      properties: pin === undefined ? { color } : { color, pin, anchor },
    })
  return { type: 'FeatureCollection', features }
}

/** What marks the selection; without a pin it is a dot, or its outline alone. */
type Mark = { color: string; pin?: string; anchor?: 'bottom' | 'center' }

function shapeOf({ geometry }: FeatureDetail): FeatureShape {
  if (geometry.type.endsWith('Point')) return 'point'
  return geometry.type.endsWith('LineString') ? 'line' : 'polygon'
}

/** A general feature belongs where its type says. */
function kindOf(selected: FeatureDetail): FeatureKind {
  if (selected.kind !== 'feature') return selected.kind
  const { featureType } = selected
  return featureType === 'incident' || featureType === 'parcel' ? featureType : 'asset'
}

function markByType(selected: FeatureDetail): Mark {
  const kind = kindOf(selected)
  if (kind === 'parcel') return { color: parcelColors.selected }
  const type = selected.kind === 'incident' || selected.kind === 'asset' ? selected.type : null
  const color = pinColor(type)
  if (shapeOf(selected) === 'line') return { color }
  const isResolved = selected.kind === 'incident' && selected.resolved
  const pin = pinName({ kind, type, isResolved, isSelected: true })
  return { color, pin, anchor: kind === 'incident' ? 'bottom' : 'center' }
}

function markByShape(selected: FeatureDetail): Mark {
  const kind = kindOf(selected)
  const shape = shapeOf(selected)
  const color = shapeColor(kind, shape)
  if (shape === 'line' || (shape === 'polygon' && kind === 'parcel')) return { color }
  return { color, pin: shapePinName({ kind, shape, isSelected: true }), anchor: 'center' }
}
