import { type DrawFeature, type EditFlags, TerraDrawSelectMode } from 'terra-draw'
import { drawingColors } from '#domain/features/palette.ts'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'

const byPoints: EditFlags = {
  feature: {
    draggable: true,
    // Checked when the point is let go, with a word about it: the engine would only stop moving it.
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

/** A finger's width: more would take points from far beside them. */
export const handleReachPixels = 24

/** Of a circle's many corners these many are handles. */
const circleHandles = 4

/** Chooses shapes and changes them by their handles: a click or drag between two points adds one. */
export function editingMode(kindOf: (id: unknown) => DrawingTool) {
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
