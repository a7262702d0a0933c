import { type DrawFeature, type EditFlags, TerraDrawSelectMode } from 'terra-draw'
import { drawingColors } from '#domain/features/palette.ts'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'

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
export const handleReachPixels = 24

/** The number of handles of a circle. */
const circleHandles = 4

/** Selects shapes and edits them by their handles; a click between two points adds one. */
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
