import { Layer, Source } from '@vis.gl/react-maplibre'
import type { Feature, FeatureCollection } from 'geojson'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FeatureType } from '#domain/features/filters.ts'
import { parcelColors } from '#domain/features/palette.ts'
import { pinsFromZoom } from '#domain/map-configuration/map-constants.ts'
import { pinColor } from './pin-style.ts'
import { pinName } from './pins.ts'
import { toEngineZoom } from './zoom.ts'

/** The selected feature is drawn from a source of its own: visible whatever filters and tiles leave out. */
export function SelectionLayers({ selected }: { selected: FeatureDetail | null }) {
  return (
    <Source id="selection" type="geojson" data={toCollection(selected)}>
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

function toCollection(selected: FeatureDetail | null): FeatureCollection {
  if (!selected) return { type: 'FeatureCollection', features: [] }
  const { kind, geometry, location } = selected
  const isPoint = geometry.type.endsWith('Point')
  const isLine = geometry.type.endsWith('LineString')
  const isIncident = kind === 'incident' || (kind === 'feature' && selected.featureType === 'incident')
  const isAsset = kind === 'asset' || (kind === 'feature' && !isIncident && selected.featureType !== 'parcel')
  const type: FeatureType | null = kind === 'incident' || kind === 'asset' ? selected.type : null
  const pinKind = isIncident ? 'incident' : 'asset'
  const color = isIncident || isAsset ? pinColor(type) : parcelColors.selected
  const features: Feature[] = []
  if (!isPoint)
    features.push({ type: 'Feature', geometry: geometry as Feature['geometry'], properties: { color } })
  const isResolved = kind === 'incident' && selected.resolved
  if ((isIncident || isAsset) && !isLine) {
    const pin = pinName({ kind: pinKind, type, isResolved, isSelected: true })
    features.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [location.lng, location.lat] },
      properties: { color, pin, anchor: isIncident ? 'bottom' : 'center' },
    })
  } else if (isPoint) {
    features.push({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [location.lng, location.lat] },
      properties: { color },
    })
  }
  return { type: 'FeatureCollection', features }
}
