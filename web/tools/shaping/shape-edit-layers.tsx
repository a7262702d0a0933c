import { Layer, Source, useMap } from '@vis.gl/react-maplibre'
import type { FeatureCollection } from 'geojson'
import { useEffect, useMemo, useState } from 'react'
import { drawingColors } from '#domain/features/palette.ts'
import type { CornerKey } from '#domain/geometry/borders/corners.ts'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import type { Handle } from './shape-handles.ts'

const color = drawingColors.normal
const diamond = 'shaping-diamond'

/** A new object for the map engine is a new source: keep it while it is the same. */
const collection = (
  features: readonly (readonly [geometry: Geometry, properties: Record<string, unknown>])[],
): FeatureCollection => ({
  type: 'FeatureCollection',
  features: features.map(([geometry, properties]) => ({ type: 'Feature', geometry, properties })),
})

type ShapesLayerProps = {
  id: string
  shapes: readonly Shape[]
  activeId: string | null
  isDashed?: boolean
  /** The corner under the pointer. */
  corner?: Position | undefined
}

export function ShapesLayer({ id, shapes, activeId, isDashed = false, corner }: ShapesLayerProps) {
  const data = useMemo(
    () =>
      collection([
        ...shapes.map(({ id: shapeId, geometry }) => [geometry, { isActive: shapeId === activeId }] as const),
        ...(corner
          ? [[{ type: 'Point', coordinates: corner } as Geometry, { isCorner: true }] as const]
          : []),
      ]),
    [shapes, activeId, corner],
  )
  return (
    <Source id={id} type="geojson" data={data}>
      <Layer
        id={`${id}-fill`}
        type="fill"
        filter={['==', ['geometry-type'], 'Polygon']}
        paint={{ 'fill-color': color, 'fill-opacity': ['case', ['get', 'isActive'], 0.2, 0.08] }}
      />
      <Layer
        id={`${id}-casing`}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        paint={{ 'line-color': '#ffffff', 'line-width': 5, 'line-opacity': 0.8 }}
      />
      <Layer
        id={`${id}-line`}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        paint={{
          'line-color': isDashed ? drawingColors.error : color,
          'line-width': isDashed ? 2.5 : ['case', ['get', 'isActive'], 3, 1.5],
          ...(isDashed && { 'line-dasharray': [2, 1.5] }),
        }}
      />
      <Layer
        id={`${id}-corner`}
        type="circle"
        filter={['has', 'isCorner']}
        paint={{
          'circle-radius': 6,
          'circle-color': color,
          'circle-stroke-color': '#ffffff',
          'circle-stroke-width': 2,
        }}
      />
    </Source>
  )
}

type HandlesLayerProps = {
  id: string
  handles: readonly Handle[]
  selected: CornerKey | null
}

/** Circles for own corners, diamonds for shared ones, dots for midpoints. */
export function HandlesLayer({ id, handles, selected }: HandlesLayerProps) {
  const hasDiamond = useDiamond()
  // Thousands of handles would be sent to the map's worker in each frame of a drag.
  const data = useMemo(
    () =>
      collection(
        handles.map(
          ({ role, position: [lng, lat], corner }) =>
            [
              { type: 'Point', coordinates: [lng, lat] },
              { role, isSelected: corner !== null && corner === selected },
            ] as const,
        ),
      ),
    [handles, selected],
  )
  return (
    <Source id={id} type="geojson" data={data}>
      <Layer
        id={`${id}-dots`}
        type="circle"
        filter={['==', ['get', 'role'], 'midpoint']}
        paint={{
          'circle-radius': 3.5,
          'circle-color': '#ffffff',
          'circle-stroke-color': color,
          'circle-stroke-width': 1.5,
        }}
      />
      <Layer
        id={`${id}-circles`}
        type="circle"
        filter={['==', ['get', 'role'], 'own']}
        paint={{
          'circle-radius': ['case', ['get', 'isSelected'], 8, 6],
          'circle-color': ['case', ['get', 'isSelected'], color, '#ffffff'],
          'circle-stroke-color': color,
          'circle-stroke-width': 2.5,
        }}
      />
      {hasDiamond && (
        <Layer
          id={`${id}-diamonds`}
          type="symbol"
          filter={['==', ['get', 'role'], 'shared']}
          layout={{
            'icon-image': diamond,
            'icon-size': ['case', ['get', 'isSelected'], 1.3, 1],
            'icon-allow-overlap': true,
            'icon-ignore-placement': true,
          }}
          paint={{
            'icon-color': ['case', ['get', 'isSelected'], color, '#ffffff'],
            'icon-halo-color': color,
            'icon-halo-width': 2.5,
          }}
        />
      )}
    </Source>
  )
}

/** Overlaps and gaps. */
export function ProblemsLayer({ id, areas }: { id: string; areas: readonly Geometry[] }) {
  const data = useMemo(() => collection(areas.map((geometry) => [geometry, {}] as const)), [areas])
  return (
    <Source id={id} type="geojson" data={data}>
      <Layer
        id={`${id}-fill`}
        type="fill"
        filter={['==', ['geometry-type'], 'Polygon']}
        paint={{ 'fill-color': drawingColors.error, 'fill-opacity': 0.5 }}
      />
      <Layer
        id={`${id}-line`}
        type="line"
        filter={['!=', ['geometry-type'], 'Point']}
        paint={{ 'line-color': drawingColors.error, 'line-width': 2 }}
      />
      <Layer
        id={`${id}-points`}
        type="circle"
        filter={['==', ['geometry-type'], 'Point']}
        paint={{ 'circle-radius': 7, 'circle-color': drawingColors.error, 'circle-opacity': 0.7 }}
      />
    </Source>
  )
}

type PathLayerProps = {
  path: readonly Position[]
  marked?: readonly Position[]
  /** Beside a path that is solid with it. */
  dashed?: readonly Position[]
}

/** A line, dashed by default, with its marked points; by default all of them. */
export function PathLayer({ path, marked = path, dashed }: PathLayerProps) {
  const toLngLat = ([lng, lat]: Position) => [lng, lat]
  const line = (positions: readonly Position[], isSolid: boolean) => ({
    type: 'Feature' as const,
    properties: { isSolid },
    geometry: {
      type: 'LineString' as const,
      coordinates: positions.length > 1 ? positions.map(toLngLat) : [],
    },
  })
  return (
    <Source
      id="shaping-path"
      type="geojson"
      data={{
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            properties: {},
            geometry: { type: 'MultiPoint', coordinates: marked.map(toLngLat) },
          },
          line(path, dashed !== undefined),
          line(dashed ?? [], false),
        ],
      }}
    >
      <Layer
        id="shaping-path-solid"
        type="line"
        filter={['all', ['==', ['geometry-type'], 'LineString'], ['get', 'isSolid']]}
        paint={{ 'line-color': color, 'line-width': 2.5 }}
      />
      <Layer
        id="shaping-path-line"
        type="line"
        filter={['all', ['==', ['geometry-type'], 'LineString'], ['!', ['get', 'isSolid']]]}
        paint={{ 'line-color': drawingColors.error, 'line-width': 2.5, 'line-dasharray': [2, 1.5] }}
      />
      <Layer
        id="shaping-path-points"
        type="circle"
        filter={['==', ['geometry-type'], 'Point']}
        paint={{
          'circle-radius': 5,
          'circle-color': '#ffffff',
          'circle-stroke-color': dashed ? color : drawingColors.error,
          'circle-stroke-width': 2.5,
        }}
      />
    </Source>
  )
}

const diamondSize = 48
const diamondRadius = 13

/** A signed distance field, so that the style chooses the colors. */
function useDiamond(): boolean {
  const map = useMap().current?.getMap()
  const [hasImage, setHasImage] = useState(false)
  useEffect(() => {
    if (!map) return
    const add = () => {
      if (!map.hasImage(diamond)) map.addImage(diamond, diamondField(), { pixelRatio: 2, sdf: true })
      setHasImage(true)
    }
    add()
    map.on('style.load', add)
    return () => {
      map.off('style.load', add)
    }
  }, [map])
  return hasImage
}

/** The edge has the value 192; each pixel farther outside lowers it by 32. */
function diamondField() {
  const data = new Uint8Array(diamondSize * diamondSize * 4)
  for (let y = 0; y < diamondSize; y++)
    for (let x = 0; x < diamondSize; x++) {
      const fromCenter = Math.abs(x + 0.5 - diamondSize / 2) + Math.abs(y + 0.5 - diamondSize / 2)
      const outside = (fromCenter - diamondRadius) / Math.SQRT2
      data[(y * diamondSize + x) * 4 + 3] = Math.max(0, Math.min(255, 192 - outside * 32))
    }
  return { width: diamondSize, height: diamondSize, data }
}
