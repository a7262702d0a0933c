import { Layer, Source } from '@vis.gl/react-maplibre'
import type { Feature, FeatureCollection } from 'geojson'
import type { FeatureKind, FeatureShape } from '#domain/definition/kinds.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { parcelColors } from '#domain/features/palette.ts'
import { pinsFromZoom } from '#domain/map-configuration/map-constants.ts'
import type { Look } from './look.ts'
import { pinColor, shapeColor } from './pin-style.ts'
import { pinName, selectedPinDrop, shapePinName } from './pins.ts'
import { toEngineZoom } from './zoom.ts'

type SelectionLayersProps = { selected: FeatureDetail | null; look: Look }

/** The selected feature is drawn from a source of its own: visible whatever filters and tiles leave out. */
export function SelectionLayers({ selected, look }: SelectionLayersProps) {
  return (
    <Source id="selection" type="geojson" data={toCollection(selected, look)}>
      <Layer
        id="selection-area"
        beforeId={look.firstPinLayer}
        type="fill"
        filter={['==', ['geometry-type'], 'Polygon']}
        paint={{ 'fill-color': ['get', 'color'], 'fill-opacity': 0.15 }}
      />
      <Layer
        id="selection-line-halo"
        beforeId={look.firstPinLayer}
        type="line"
        filter={['==', ['geometry-type'], 'LineString']}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': parcelColors.selected, 'line-width': 14, 'line-opacity': 0.4 }}
      />
      <Layer
        id="selection-casing"
        beforeId={look.firstPinLayer}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': '#ffffff', 'line-width': 7, 'line-opacity': 0.9 }}
      />
      <Layer
        id="selection-outline"
        beforeId={look.firstPinLayer}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': ['get', 'color'], 'line-width': 3 }}
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
        // It takes the place of every pin around it.
        layout={{
          'icon-image': ['get', 'pin'],
          'icon-offset': ['get', 'offset'],
          'icon-allow-overlap': true,
          'icon-padding': 0,
        }}
      />
    </Source>
  )
}

function toCollection(selected: FeatureDetail | null, look: Look): FeatureCollection {
  if (!selected) return { type: 'FeatureCollection', features: [] }
  const { geometry, location } = selected
  const { color, pin } = look.name === 'types' ? markByType(selected) : markByShape(selected)
  const features: Feature[] = []
  if (shapeOf(selected) !== 'point')
    features.push({ type: 'Feature', geometry: geometry as Feature['geometry'], properties: { color } })
  if (pin !== undefined || shapeOf(selected) === 'point')
    features.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [location.lng, location.lat] },
      properties: pin === undefined ? { color } : { color, pin: pin.image, offset: [0, -pin.drop] },
    })
  return { type: 'FeatureCollection', features }
}

/** What marks the selection; without a pin it is a dot, or its outline alone. */
type Mark = { color: string; pin?: { image: string; drop: number } }

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
  const image = pinName({ kind, type, isResolved, isSelected: true })
  return { color, pin: { image, drop: selectedPinDrop(kind) } }
}

function markByShape(selected: FeatureDetail): Mark {
  const kind = kindOf(selected)
  const shape = shapeOf(selected)
  const color = shapeColor(kind, shape)
  if (shape === 'line' || (shape === 'polygon' && kind === 'parcel')) return { color }
  return { color, pin: { image: shapePinName({ kind, shape, isSelected: true }), drop: 0 } }
}
