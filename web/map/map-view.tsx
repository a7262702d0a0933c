import 'maplibre-gl/dist/maplibre-gl.css'
import { AttributionControl, Map as EngineView, type MapRef, ScaleControl } from '@vis.gl/react-maplibre'
import * as engine from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import {
  type BaseMap,
  clickTolerancePixels,
  closestLandZoom,
  maxZoom,
  minZoom,
} from '#domain/map-configuration/map-constants.ts'
import { otherUnits, readersUnits } from '#web/ui/measures.ts'
import { BaseMapLayers, hasAnyTiles, hasTiles, type TileServices } from './base-map-layers.tsx'
import { cameraTarget } from './camera-target.ts'
import { confineCamera } from './confine-camera.ts'
import { FeatureLayers } from './feature-layers.tsx'
import { Ground, groundLayers, lineNamesLayer, type NamedLine } from './ground.tsx'
import { type Hit, hitsAt } from './hits.ts'
import type { Look } from './look.ts'
import {
  askByLongPress,
  endDragAnywhere,
  inertia,
  moveByKeyboard,
  zoomByDoubleClick,
  zoomByWheel,
} from './map-interaction.ts'
import { CannotDraw, MapNotices } from './map-notices.tsx'
import classes from './map-view.module.css'
import { type NamedPlace, NamedPlaces } from './named-places.tsx'
import { drawPinsWhenNeeded } from './pins.ts'
import { type Selection, SelectionLayers } from './selection-layers.tsx'
import { shapeLook } from './shape-look.ts'
import { typeLook } from './type-look.ts'
import { useMapHealth } from './use-map-health.ts'
import { useTileUpdates } from './use-tile-updates.ts'
import { fromEngineZoom, toEngineZoom } from './zoom.ts'

engine.setWorkerUrl(workerUrl)

/** Zooms are the specification's. */
export type MapCamera = { zoom: number; lat: number; lng: number }
/** What the map shows at this moment. */
export type MapViewport = { camera: MapCamera; extent: Bounds }
export type ScreenPoint = { x: number; y: number }
/** While a tool is on nothing is hit. */
export type MapClick = { hits: Hit[]; lngLat: LatLng; point: ScreenPoint }

export type MapHandle = {
  flyTo(camera: MapCamera): void
  jumpTo(camera: MapCamera): void
  fitExtent(extent: Bounds): void
  zoomBy(levels: number): void
  /** Asks for the tiles in view again: something changed. */
  refresh(): void
  focus(): void
}

type MapViewProps = {
  ref?: Ref<MapHandle>
  label: string
  initialCamera: MapCamera
  bounds: Bounds | null
  baseMap: BaseMap
  tileServices: TileServices
  isDark: boolean
  /** Address of the data's tiles, filter included. */
  tiles: string
  look: Look['name']
  /** By the look's groups. */
  isVisible: Readonly<Record<string, boolean>>
  selection: Selection
  /** Named on the ground that stands in for a base map. */
  place: NamedPlace | null
  lineNames: readonly NamedLine[]
  onGroundChange(isShown: boolean): void
  labels: NamedPlace[]
  onCameraChange(camera: MapCamera, extent: Bounds): void
  /** All that is in view is drawn. */
  onComplete(): void
  /** Where nothing can be chosen, the pointer does not say so either. */
  onClick?: ((click: MapClick) => void) | undefined
  onHover?: ((hit: { hit: Hit; point: ScreenPoint } | null) => void) | undefined
  /** Also a right click; true where something came of it. */
  onLongPress?: ((click: MapClick) => boolean) | undefined
  /** Clicks and the pointer are a tool's: the data hears nothing of them. */
  isToolOn: boolean
  /** More layers and marks, above the data. */
  layers?: ReactNode
  /** Controls that lie on the map. */
  children?: ReactNode
}

/** Every piece of the map that is not data stands below one of these. */
const emptyStyle: engine.StyleSpecification = {
  version: 8,
  sources: {},
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#e4e9ea' } },
    { id: 'ground-end', type: 'background', layout: { visibility: 'none' } },
    { id: 'base-start', type: 'background', layout: { visibility: 'none' } },
    { id: 'data-start', type: 'background', layout: { visibility: 'none' } },
  ],
}

const looks: Record<Look['name'], Look> = { types: typeLook, shapes: shapeLook }

/** Pins that make room for others, or come back, do not do so at once. */
const pinFadeMs = 150
const prefersReducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

const canvasName = { 'Map.Title': 'Map surface: arrow keys pan, plus and minus zoom' }

export function MapView(props: MapViewProps) {
  const { ref, label, initialCamera, bounds, isDark, children } = props
  const look = looks[props.look]
  const mapRef = useRef<MapRef>(null)
  const viewRef = useRef<HTMLElement>(null)
  const [map, setMap] = useState<engine.Map | null>(null)
  const { shown, inTurn } = useTileUpdates(map, props)
  const health = useMapHealth(map, props.baseMap, inTurn, props.onComplete)
  const isBaseMapAway = health.isBaseMapAway || !hasTiles(props.baseMap, props.tileServices)
  const { refreshData } = health
  const { onGroundChange } = props
  useEffect(() => onGroundChange(isBaseMapAway), [onGroundChange, isBaseMapAway])
  useImperativeHandle(ref, () => handleOf(mapRef, refreshData), [refreshData])
  useInteractions(map, look, props)
  useGround(map, isDark)
  const confine = useMemo(() => confineCamera(bounds, () => viewRef.current?.clientHeight ?? 0), [bounds])
  // The map is made with the first one; the binding passes no later one on.
  useEffect(() => {
    if (map) cameraTarget(map).confine(confine)
  }, [map, confine])

  // The map itself, because it may be loaded before React has set the ref to it.
  function onLoad({ target: loaded }: { target: engine.Map }) {
    loaded.touchZoomRotate.disableRotation()
    loaded.keyboard.disable()
    drawPinsWhenNeeded(loaded)
    setMap(loaded)
    cameraChanged({ target: loaded })
  }

  function cameraChanged({ target: view }: { target: engine.Map }) {
    const { lat, lng } = view.getCenter()
    const box = view.getBounds()
    props.onCameraChange(
      { zoom: fromEngineZoom(view.getZoom()), lat, lng },
      { west: box.getWest(), south: box.getSouth(), east: box.getEast(), north: box.getNorth() },
    )
  }

  return (
    <section ref={viewRef} className={classes.map} aria-label={label} data-map-state={health.state}>
      <EngineView
        ref={mapRef}
        mapLib={engine}
        mapStyle={emptyStyle}
        initialViewState={{
          latitude: initialCamera.lat,
          longitude: initialCamera.lng,
          zoom: toEngineZoom(initialCamera.zoom),
        }}
        transformConstrain={confine}
        minZoom={toEngineZoom(minZoom)}
        maxZoom={toEngineZoom(maxZoom)}
        maxPitch={0}
        dragRotate={false}
        pitchWithRotate={false}
        touchPitch={false}
        scrollZoom={false}
        dragPan={inertia}
        clickTolerance={clickTolerancePixels}
        attributionControl={false}
        locale={canvasName}
        fadeDuration={prefersReducedMotion() ? 0 : pinFadeMs}
        onLoad={onLoad}
        onMoveEnd={cameraChanged}
        onError={health.onError}
        onClick={(event: engine.MapMouseEvent) => props.onClick?.(clickOf(event.target, event, look, props))}
      >
        {map && (
          <>
            <Ground isShown={isBaseMapAway} isDark={isDark} place={props.place} />
            <BaseMapLayers
              baseMap={props.baseMap}
              tileServices={props.tileServices}
              isDark={isDark}
              attempt={health.baseAttempt}
            />
            <FeatureLayers
              {...shown}
              look={look}
              ground={isBaseMapAway ? groundLayers(isDark) : []}
              lineNames={isBaseMapAway ? lineNamesLayer(props.lineNames, isDark) : null}
            />
            <SelectionLayers selection={props.selection} look={look} />
            <NamedPlaces
              id="parcel-names"
              places={props.labels}
              isDark={isDark}
              beforeId={look.firstPinLayer}
            />
            {props.layers}
          </>
        )}
        {/* Each is put above the one before. */}
        <ScaleControl position="bottom-left" unit={otherUnits(readersUnits())} />
        <ScaleControl position="bottom-left" unit={readersUnits()} />
        <AttributionControl position="bottom-right" compact={false} />
      </EngineView>
      {health.canDraw ? (
        <>
          {children}
          <MapNotices
            baseMap={isBaseMapAway && hasAnyTiles(props.tileServices) ? props.baseMap : null}
            onRetryBaseMap={health.isBaseMapAway ? health.retryBaseMap : null}
            isDataAway={health.isDataAway}
            onRefresh={health.refreshData}
          />
        </>
      ) : (
        <CannotDraw />
      )}
    </section>
  )
}

function handleOf(mapRef: { current: MapRef | null }, refresh: () => void): MapHandle {
  const toEngine = ({ zoom, lat, lng }: MapCamera) => ({ lng, lat, zoom: toEngineZoom(zoom) })
  const target = () => {
    const map = mapRef.current?.getMap()
    return map && cameraTarget(map)
  }
  return {
    flyTo: (camera) => target()?.flyTo(toEngine(camera)),
    jumpTo: (camera) => target()?.jumpTo(toEngine(camera)),
    fitExtent: (extent) =>
      target()?.fitExtent(extent, { padding: 40, maxZoom: toEngineZoom(closestLandZoom) }),
    zoomBy: (levels) => target()?.stepZoom(levels),
    refresh,
    focus: () => mapRef.current?.getCanvas().focus(),
  }
}

function clickOf(
  map: engine.Map,
  { point, lngLat }: { point: engine.Point; lngLat: engine.LngLat },
  look: Look,
  { isToolOn }: Pick<MapViewProps, 'isToolOn'>,
): MapClick {
  return {
    hits: isToolOn ? [] : hitsAt(map, look, point),
    lngLat: { lat: lngLat.lat, lng: lngLat.lng },
    point: { x: point.x, y: point.y },
  }
}

function useInteractions(map: engine.Map | null, look: Look, props: MapViewProps) {
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (!map) return
    const hover = (event: engine.MapMouseEvent) => {
      if (latest.current.isToolOn) return
      const isChoosable = latest.current.onClick !== undefined && !map.isMoving()
      const [hit] = isChoosable ? hitsAt(map, look, event.point) : []
      map.getCanvas().style.cursor = hit ? 'pointer' : ''
      latest.current.onHover?.(hit ? { hit, point: { x: event.point.x, y: event.point.y } } : null)
    }
    const leave = () => latest.current.onHover?.(null)
    map.on('mousemove', hover)
    map.on('mouseout', leave)
    map.on('movestart', leave)
    const disposers = [
      zoomByWheel(map),
      moveByKeyboard(map),
      zoomByDoubleClick(map),
      endDragAnywhere(map),
      askByLongPress(
        map,
        (lngLat, point) =>
          latest.current.onLongPress?.(clickOf(map, { lngLat, point }, look, latest.current)) ?? false,
      ),
    ]
    return () => {
      map.off('mousemove', hover)
      map.off('mouseout', leave)
      map.off('movestart', leave)
      for (const dispose of disposers) dispose()
    }
  }, [map, look])
}

function useGround(map: engine.Map | null, isDark: boolean) {
  useEffect(() => {
    map?.setPaintProperty('ground', 'background-color', isDark ? '#14181b' : '#e4e9ea')
  }, [map, isDark])
}
