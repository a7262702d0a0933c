import type { Position } from 'geojson'
import type { Map as EngineMap, MapMouseEvent } from 'maplibre-gl'
import { type DrawFeature, type EditFlags, TerraDraw, TerraDrawSelectMode } from 'terra-draw'
import { drawingColors } from '#domain/features/palette.ts'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { hasCrossingEdges } from './crossing.ts'
import { cutAtDateLine } from './cut-shape.ts'
import { DrawingAdapter, runOnMap } from './drawing-adapter.ts'
import { drawingModes } from './drawing-modes.ts'
import { cornersOf, type DrawnGeometry, type DrawnShape, isDrawnByPoints } from './drawn-shape.ts'
import type { Edits, Handler } from './handler.ts'
import { readoutOf } from './readout.ts'
import { shapeSeenAt } from './shape-layers.tsx'

type Listener = { onEdits(edits: Edits): void; onCrossing(): void }
/** `piecesOf` cuts shapes that were moved across the date line. */
type EditingHandler = Handler & { piecesOf(shape: DrawnShape): DrawnShape[] }
type Geometries = ReadonlyMap<string, DrawnGeometry>

export function startEditing(
  map: EngineMap,
  shapes: readonly DrawnShape[],
  mayCross: boolean,
  listener: Listener,
): EditingHandler {
  let pointer: Position | null = null
  let pressed: Position | null = null
  let selectedId: string | null = null
  const adapter = new DrawingAdapter(
    map,
    (place, isPress) => {
      pointer = place
      if (isPress) pressed = place
      tell()
    },
    (place) => {
      const geometry =
        selectedId !== null && shapeSeenAt(map, place) === selectedId && currentGeometries().get(selectedId)
      return geometry && geometry.type === 'Point' ? geometry.coordinates : null
    },
  )
  const kinds = new Map(shapes.map(({ id, properties }) => [id, properties.kind]))
  const kindOf = (id: unknown) => kinds.get(String(id)) ?? 'polygon'
  const draw = new TerraDraw({
    adapter,
    modes: [...drawingModes({ mayCross: true, onCrossing: () => {} }), editingMode(kindOf)],
  })

  // Starts with the original geometries.
  const steps: Geometries[] = []
  let step = 0
  const currentGeometries = (): Geometries =>
    new Map(
      draw
        .getSnapshot()
        .filter(({ id }) => kinds.has(String(id)))
        .map(({ id, geometry }) => [String(id), geometry]),
    )
  // Copied after a change, not on each move of the pointer: there may be thousands of points.
  let geometries: Geometries = new Map()
  function tell() {
    if (!draw.enabled) return
    const selected = selectedId === null ? undefined : geometries.get(selectedId)
    listener.onEdits({
      geometries,
      selectedId,
      chosen: selected && pressed ? cornerAt(selected, pressed) : null,
      pointer,
      readout: selected ? readoutOf(kindOf(selectedId), cornersOf(selected)) : '',
      canUndo: step > 0,
      canRedo: step < steps.length - 1,
    })
  }
  function cornerAt(geometry: DrawnGeometry, place: Position): Position | null {
    if (!isDrawnByPoints(kindOf(selectedId))) return null
    const at = ([lng = 0, lat = 0]: Position) => map.project([lng, lat])
    const nearest = cornersOf(geometry)
      .map((corner) => ({ corner, pixels: at(corner).dist(at(place)) }))
      .reduce((a, b) => (b.pixels < a.pixels ? b : a))
    return nearest.pixels <= handleReachPixels ? nearest.corner : null
  }
  function restore() {
    const now = currentGeometries()
    for (const [id, geometry] of steps[step] ?? []) {
      if (!isEqual(now.get(id), geometry)) draw.updateFeatureGeometry(id, geometry)
    }
    tell()
  }
  function finishStep(id: string) {
    const geometry = currentGeometries().get(id)
    if (isEqual(geometry, steps[step]?.get(id))) return
    const isRing = kindOf(id) === 'polygon'
    if (
      geometry &&
      !mayCross &&
      isDrawnByPoints(kindOf(id)) &&
      hasCrossingEdges(cornersOf(geometry), isRing)
    ) {
      listener.onCrossing()
      restore()
      return
    }
    steps.splice(step + 1, steps.length, currentGeometries())
    step += 1
    tell()
  }
  function go(by: number) {
    if (!steps[step + by]) return
    step += by
    restore()
  }

  draw.on('change', () => {
    if (draw.enabled) geometries = currentGeometries()
    tell()
  })
  // The engine is not finished yet.
  draw.on('finish', (id) => queueMicrotask(() => draw.enabled && finishStep(String(id))))
  draw.on('select', (id) => {
    selectedId = String(id)
    tell()
  })
  draw.on('deselect', () => {
    selectedId = null
    tell()
  })
  // The engine ignores painted parts such as the head of a pin.
  const selectSeen = ({ lngLat }: MapMouseEvent) => {
    const id = selectedId === null ? shapeSeenAt(map, [lngLat.lng, lngLat.lat]) : undefined
    if (id !== undefined && kinds.has(id)) draw.selectFeature(id)
  }
  map.on('click', selectSeen)
  const stop = runOnMap(map, draw)
  draw.addFeatures(
    shapes.map(({ id, geometry, properties: { kind } }) => ({
      type: 'Feature',
      id,
      geometry,
      properties: { mode: kind },
    })),
  )
  steps.push(currentGeometries())
  draw.setMode('select')

  return {
    giveUp() {
      if (pointer && adapter.putDown(pointer)) {
        restore()
        return true
      }
      if (selectedId === null) return false
      draw.setMode('select')
      return true
    },
    undo: () => go(-1),
    redo: () => go(1),
    moveTo(place) {
      pointer = place
      adapter.moveTo(place)
      tell()
    },
    press(place) {
      pressed = place
      if (adapter.putDown(place) || adapter.takeUp(place)) return
      adapter.click(place)
    },
    removeVertex(place) {
      adapter.click(place, 'right')
    },
    piecesOf: cutAtDateLine,
    end() {
      map.off('click', selectSeen)
      stop()
    },
  }
}

const byPoints: EditFlags = {
  feature: {
    draggable: true,
    // Checked at the end of a drag, with a message: the engine would only stop moving the point.
    selfIntersectable: true,
    coordinates: { draggable: true, deletable: true, midpoints: { draggable: true } },
  },
}
const point: EditFlags = { feature: { draggable: true } }

const flags: Record<DrawingTool, EditFlags> = {
  polyline: byPoints,
  polygon: byPoints,
  rectangle: { feature: { draggable: true, coordinates: { resizable: 'opposite' } } },
  circle: { feature: { draggable: true, coordinates: { resizable: 'center-fixed' } } },
  marker: point,
  circlemarker: point,
}

/** The width of a finger. */
const handleReachPixels = 24

const circleHandles = 4

function editingMode(kindOf: (id: unknown) => DrawingTool) {
  const handleSize = ({ properties }: DrawFeature) => {
    if (kindOf(properties.selectionPointFeatureId) !== 'circle') return 6
    return Number(properties.index) % (64 / circleHandles) === 0 ? 6 : 0
  }
  return new TerraDrawSelectMode({
    flags,
    keyEvents: null,
    pointerDistance: handleReachPixels,
    // The last movement of a drag counts too.
    dragEventThrottle: 0,
    pointerEvents: {
      leftClick: true,
      rightClick: true,
      contextMenu: false,
      onDragStart: true,
      onDrag: true,
      onDragEnd: true,
    },
    styles: {
      selectedPolygonFillOpacity: 0,
      selectedPolygonOutlineWidth: 0,
      selectedLineStringWidth: 0,
      selectedPointWidth: 14,
      selectedPointOpacity: 0,
      selectedPointOutlineWidth: 2,
      selectedPointOutlineColor: drawingColors.normal,
      selectionPointWidth: handleSize,
      selectionPointColor: '#ffffff',
      selectionPointOutlineWidth: (feature) => (handleSize(feature) ? 2.5 : 0),
      selectionPointOutlineColor: drawingColors.normal,
      midPointWidth: 4,
      midPointColor: drawingColors.normal,
      midPointOutlineWidth: 1.5,
      midPointOutlineColor: '#ffffff',
    },
  })
}
