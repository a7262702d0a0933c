import { AttributionControl, Map as EngineView, type MapRef, useMap } from '@vis.gl/react-maplibre'
import * as engine from 'maplibre-gl'
import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'
import { closestLandZoom } from '#domain/map-configuration/map-constants.ts'
import type { Store } from '#web/ui/external-store.ts'
import { BaseMapLayers } from './base-map-layers.tsx'
import { baseMapsToRead, hasAnyTiles, hasTiles } from './base-maps.ts'
import { cameraTarget } from './camera-target.ts'
import { confineCamera } from './confine-camera.ts'
import { FeatureLayers } from './feature-layers.tsx'
import { Ground } from './ground.tsx'
import type { NamedLine } from './ground-layers.ts'
import { allHitsAt, type Hit, hitsAt } from './hits.ts'
import { MapContext } from './in-view.ts'
import {
  endDragAnywhere,
  handleLongPress,
  moveByKeyboard,
  zoomByDoubleClick,
  zoomByWheel,
} from './map-interaction.ts'
import { CannotDraw, MapNotices } from './map-notices.tsx'
import { featureSource, type MapStyle } from './map-style.ts'
import { mapStyleOf } from './map-styles.ts'
import classes from './map-view.module.css'
import type { NamedPlace } from './named-places.tsx'
import { type PaperLand, usePaperLayout } from './paper-layout.ts'
import { printMap } from './print-map.ts'
import { ScaleBar } from './scale-bar.tsx'
import { type Selection, SelectionLayers } from './selection-layers.tsx'
import { landMargin, type MapOpening, openMap, takeFirstErrors, whenStyled } from './start-map.ts'
import { type MapState, useMapHealth } from './use-map-health.ts'
import { useTileUpdates } from './use-tile-updates.ts'
import { fromEngineZoom, toEngineZoom } from './zoom.ts'

/** Zooms are the specification's. */
export type MapCamera = { zoom: number; lat: number; lng: number }
export type MapViewport = { camera: MapCamera; extent: Bounds }
export type ScreenPoint = { x: number; y: number }
/** Empty hits while a tool is on. More may follow while data is loading. */
export type MapClick = { hits: Hit[]; lngLat: LatLng; point: ScreenPoint; isDataLoaded: boolean }

export type MapHandle = {
  flyTo(camera: MapCamera): void
  jumpTo(camera: MapCamera): void
  fitExtent(extent: Bounds): void
  zoomBy(levels: number): void
  refresh(): void
  focus(): void
}

type MapViewProps = MapOpening & {
  ref?: Ref<MapHandle>
  label: string
  selection: Selection
  isDataAwaited: boolean
  paper: PaperLand
  place: NamedPlace | null
  lineNames: readonly NamedLine[]
  onGroundChange(isShown: boolean): void
  parcelNames: NamedPlace[]
  onCameraChange(camera: MapCamera, extent: Bounds): void
  onComplete(): void
  /** The first picture is complete or timed out: less urgent parts may load. */
  isSettled: boolean
  onClick?: ((click: MapClick) => void) | undefined
  onHover(hit: { hit: Hit; point: ScreenPoint } | null): void
  onLongPress?: ((click: MapClick) => boolean) | undefined
  /** A tool that is on receives all clicks and pointer events. */
  isToolOn: boolean
  layers?: ReactNode
  notices?: ReactNode
  children?: ReactNode
}

export function MapView(props: MapViewProps) {
  const { ref, label, bounds, isDark, children } = props
  const style = mapStyleOf(props)
  const mapRef = useRef<MapRef>(null)
  const viewRef = useRef<HTMLElement>(null)
  const [map, setMap] = useState<engine.Map | null>(null)
  const shownMap = useMemo(() => map && { map, style }, [map, style])
  const { shown, inTurn } = useTileUpdates(map, props)
  const health = useMapHealth(map, props.baseMap, inTurn, props.onComplete)
  const isBaseMapAway = health.isBaseMapAway || !hasTiles(props.baseMap, props.tileServices)
  const { refreshData } = health
  const isAsBegun = useIsInitialStyle(props)
  const isMore = isBaseMapAway || props.selection.preview !== null || props.parcelNames.length > 0
  const isStyleOurs = useLatch(props.isSettled || isMore || !isAsBegun)
  const isDataDue =
    props.isDataAwaited || shown.tiles !== props.tiles || shown.rest !== props.rest || shown.isDark !== isDark
  const { onGroundChange } = props
  useEffect(() => onGroundChange(isBaseMapAway), [onGroundChange, isBaseMapAway])
  useImperativeHandle(ref, () => handleOf(mapRef, refreshData), [refreshData])
  useInteractions(map, style, props)
  const confine = useMemo(() => confineCamera(bounds, () => viewRef.current?.clientHeight ?? 0), [bounds])
  // The binding uses only the first one.
  useEffect(() => {
    if (map) cameraTarget(map).confine(confine)
  }, [map, confine])
  const paper = usePaperLayout(map, props.paper)
  useEffect(() => {
    if (map && viewRef.current) return printMap(map, viewRef.current)
  }, [map])

  const [mapLib] = useState(() => engineThatOpens(props))

  function onStyled(styled: engine.Map) {
    for (const error of takeFirstErrors(styled)) health.onError(error)
    setMap(styled)
    cameraChanged({ target: styled })
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
    <MapArea ref={viewRef} label={label} states={health.states} isDataDue={isDataDue} paper={paper}>
      <EngineView
        ref={mapRef}
        mapLib={mapLib}
        onMoveEnd={cameraChanged}
        onError={health.onError}
        onClick={(event: engine.MapMouseEvent) => props.onClick?.(clickOf(event.target, event, style, props))}
      >
        <Styled onStyled={onStyled} />
        {map && isStyleOurs && (
          <>
            <Ground isShown={isBaseMapAway} isDark={isDark} place={props.place} />
            <BaseMapLayers
              baseMap={props.baseMap}
              tileServices={props.tileServices}
              isDark={isDark}
              attempt={health.baseAttempt}
              onUnavailable={health.loseBaseMap}
            />
            <FeatureLayers
              {...shown}
              styleName={props.styleName}
              hasGround={isBaseMapAway}
              lineNames={props.lineNames}
              parcelNames={props.parcelNames}
            />
            <SelectionLayers selection={props.selection} style={style} />
          </>
        )}
        {map && props.layers}
        <AttributionControl position="bottom-right" compact={false} />
      </EngineView>
      {health.canDraw ? (
        <>
          {map && <ScaleBar map={map} />}
          <MapContext value={shownMap}>{children}</MapContext>
          <MapNotices
            baseMap={isBaseMapAway && hasAnyTiles(props.tileServices) ? props.baseMap : null}
            onRetryBaseMap={health.isBaseMapAway ? health.retryBaseMap : null}
            isDataAway={health.isDataAway}
            isReviving={health.isReviving}
            onRefresh={health.refreshData}
          >
            {props.notices}
          </MapNotices>
        </>
      ) : (
        <CannotDraw />
      )}
    </MapArea>
  )
}

type MapAreaProps = {
  ref: Ref<HTMLElement>
  label: string
  states: Store<MapState>
  /** Data that is not drawn yet. */
  isDataDue: boolean
  paper: ReturnType<typeof usePaperLayout>
  children: ReactNode
}

function MapArea({ ref, label, states, isDataDue, paper, children }: MapAreaProps) {
  const state = states.use()
  return (
    <section
      ref={ref}
      className={classes.map}
      aria-label={label}
      data-map-state={paper.isDue || (state === 'complete' && isDataDue) ? 'busy' : state}
      data-paper={paper.isPreparing || undefined}
      onClickCapture={keepPageOpen}
    >
      {children}
    </section>
  )
}

/** Links of the attribution open in a new tab. */
function keepPageOpen({ target }: MouseEvent) {
  if (target instanceof Element) target.closest('.maplibregl-ctrl-attrib a')?.setAttribute('target', '_blank')
}

type EngineProps = ComponentProps<typeof EngineView>

function openingOf(props: MapOpening): MapOpening {
  const { camera, bounds, baseMap, tileServices, isDark, styleName, tiles, rest, isVisible } = props
  return { camera, bounds, baseMap, tileServices, isDark, styleName, tiles, rest, isVisible }
}

/** The initial style already shows everything, and stays untouched: each change delays the first picture. */
function useIsInitialStyle(props: MapOpening): boolean {
  const { camera: _, ...current } = openingOf(props)
  const [initial] = useState(current)
  const toRead = baseMapsToRead({ ...current, attempt: 0 })
  return toRead.length === 0 && JSON.stringify(current) === JSON.stringify(initial)
}

function useLatch(isNow: boolean): boolean {
  const [is, setIs] = useState(isNow)
  if (isNow && !is) setIs(true)
  return is || isNow
}

/** Maps are created by `openMap`; all other functions are the engine's. */
function engineThatOpens(opening: MapOpening): EngineProps['mapLib'] {
  function OpenedMap({ container }: engine.MapOptions) {
    return openMap(container as HTMLElement, openingOf(opening))
  }
  return { ...engine, Map: OpenedMap } as unknown as typeof engine
}

function Styled({ onStyled }: { onStyled(map: engine.Map): void }) {
  const { current } = useMap()
  const tell = useEffectEvent(onStyled)
  useEffect(() => {
    const map = current?.getMap()
    let isThere = true
    if (map) void whenStyled(map).then(() => isThere && tell(map))
    return () => {
      isThere = false
    }
  }, [current])
  return null
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
      target()?.fitExtent(extent, { padding: landMargin, maxZoom: toEngineZoom(closestLandZoom) }),
    zoomBy: (levels) => target()?.stepZoom(levels),
    refresh,
    focus: () => mapRef.current?.getCanvas().focus(),
  }
}

function clickOf(
  map: engine.Map,
  { point, lngLat }: { point: engine.Point; lngLat: engine.LngLat },
  style: MapStyle,
  { isToolOn }: Pick<MapViewProps, 'isToolOn'>,
  find = hitsAt,
): MapClick {
  return {
    hits: isToolOn ? [] : find(map, style, point),
    lngLat: { lat: lngLat.lat, lng: lngLat.lng },
    point: { x: point.x, y: point.y },
    isDataLoaded: map.getSource(featureSource) !== undefined && map.isSourceLoaded(featureSource),
  }
}

function useInteractions(map: engine.Map | null, style: MapStyle, props: MapViewProps) {
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    if (!map) return
    const hover = (event: engine.MapMouseEvent) => {
      if (latest.current.isToolOn) return
      const isChoosable = latest.current.onClick !== undefined && !map.isMoving()
      const [hit] = isChoosable ? hitsAt(map, style, event.point) : []
      map.getCanvas().style.cursor = hit ? 'pointer' : ''
      latest.current.onHover(hit ? { hit, point: { x: event.point.x, y: event.point.y } } : null)
    }
    const leave = () => latest.current.onHover(null)
    map.on('mousemove', hover)
    map.on('mouseout', leave)
    map.on('movestart', leave)
    const disposers = [
      zoomByWheel(map),
      moveByKeyboard(map),
      zoomByDoubleClick(map),
      endDragAnywhere(map),
      handleLongPress(
        map,
        (lngLat, point) =>
          latest.current.onLongPress?.(clickOf(map, { lngLat, point }, style, latest.current, allHitsAt)) ??
          false,
      ),
    ]
    return () => {
      map.off('mousemove', hover)
      map.off('mouseout', leave)
      map.off('movestart', leave)
      for (const dispose of disposers) dispose()
    }
  }, [map, style])
}
