import { Layer, Source } from '@vis.gl/react-maplibre'
import type { Feature, FeatureCollection } from 'geojson'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FeaturePreview } from '#domain/features/feature-preview.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { untypedColor } from '#domain/features/palette.ts'
import { pinsFromZoom } from '#domain/map-configuration/map-constants.ts'
import type { MapStyle } from './map-style.ts'
import { pinColor, selectionEdge, shapeColor } from './pin-style.ts'
import { pinName, selectedPinDrop, shapePinName } from './pins.ts'
import { toEngineZoom } from './zoom.ts'

export type Selection = { preview: FeaturePreview | null; geometry: FeatureDetail['geometry'] | null }

type SelectionLayersProps = { selection: Selection; style: MapStyle }

/**
 * Has its own source, so that filters and tiles cannot hide it. No layers without a selection: between layers of
 * another source, each costs several passes over all pixels per frame.
 */
export function SelectionLayers({ selection: { preview, geometry }, style }: SelectionLayersProps) {
  if (!preview) return null
  return (
    <Source id="selection" type="geojson" data={toCollection(preview, geometry, style)}>
      <Layer
        id="selection-area"
        beforeId={style.firstPinLayer}
        type="fill"
        filter={['==', ['geometry-type'], 'Polygon']}
        paint={{ 'fill-color': ['get', 'color'], 'fill-opacity': 0.15 }}
      />
      <Layer
        id="selection-edge"
        beforeId={style.firstPinLayer}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': selectionEdge, 'line-width': 10 }}
      />
      <Layer
        id="selection-casing"
        beforeId={style.firstPinLayer}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': '#ffffff', 'line-width': 7 }}
      />
      <Layer
        id="selection-outline"
        beforeId={style.firstPinLayer}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        layout={{ 'line-cap': 'round', 'line-join': 'round' }}
        paint={{ 'line-color': ['get', 'color'], 'line-width': 3 }}
      />
      <Layer
        id="selection-dot-edge"
        type="circle"
        maxzoom={toEngineZoom(pinsFromZoom)}
        filter={['==', ['geometry-type'], 'Point']}
        paint={{ 'circle-radius': 9.5, 'circle-color': selectionEdge }}
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
          'icon-offset': ['get', 'offset'],
          'icon-allow-overlap': true,
          'icon-padding': 0,
        }}
      />
    </Source>
  )
}

function toCollection(
  preview: FeaturePreview,
  geometry: Selection['geometry'],
  style: MapStyle,
): FeatureCollection {
  const { shape, location } = preview
  const { color, pin } = style.name === 'types' ? markByType(preview, style.isDark) : markByShape(preview)
  const features: Feature[] = []
  if (shape !== 'point' && geometry)
    features.push({ type: 'Feature', geometry: geometry as Feature['geometry'], properties: { color } })
  if (location && (pin !== undefined || shape === 'point'))
    features.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [location.lng, location.lat] },
      properties: pin === undefined ? { color } : { color, pin: pin.image, offset: [0, -pin.drop] },
    })
  return { type: 'FeatureCollection', features }
}

type Mark = { color: string; pin?: { image: string; drop: number } }

function markByType({ kind, shape, type, status }: FeaturePreview, isDark: boolean): Mark {
  // A newer server may send kinds that this page does not have.
  if (!(kind in kindTraits)) return { color: untypedColor }
  const { pin, color: colors } = kindTraits[kind]
  if (pin === null) return { color: colors.selected }
  const color = pinColor(type)
  if (shape === 'line') return { color }
  const image = pinName({ kind, type, isResolved: status === 'resolved', isSelected: true, isDark })
  return { color, pin: { image, drop: selectedPinDrop(kind) } }
}

function markByShape({ kind, shape, type }: FeaturePreview): Mark {
  const color = shapeColor(kind, shape)
  if (shape === 'line' || (shape === 'polygon' && kindTraits[kind].pin === null)) return { color }
  return { color, pin: { image: shapePinName({ kind, shape, type, isSelected: true }), drop: 0 } }
}
