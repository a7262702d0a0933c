// Section 9 of the specification, 'Map' and 'Map interaction'. Zooms are those of 256-pixel tiles, which
// `web/map/zoom.ts` converts.

export const baseMaps = ['street', 'satellite', 'terrain', 'hybrid'] as const
export type BaseMap = (typeof baseMaps)[number]

export const baseMapLabels: Record<BaseMap, string> = {
  street: 'Street',
  satellite: 'Satellite',
  terrain: 'Terrain',
  hybrid: 'Hybrid',
}

/** Section 3, 'Drawn shapes'. */
export const drawingTools = ['polyline', 'polygon', 'rectangle', 'circle', 'marker', 'circlemarker'] as const
export type DrawingTool = (typeof drawingTools)[number]

export const drawingToolLabels: Record<DrawingTool, string> = {
  polyline: 'Polyline',
  polygon: 'Polygon',
  rectangle: 'Rectangle',
  circle: 'Circle',
  marker: 'Marker',
  circlemarker: 'Circle marker',
}

/** Section 2, 'High-volume viewer'. */
export const defaultDrawingTools = ['rectangle'] as const satisfies readonly DrawingTool[]

/** Section 2. */
export const mainViewBaseMaps = ['street', 'satellite', 'terrain'] as const satisfies readonly BaseMap[]

/** Section 2, 'High-volume viewer'. */
export const viewerBaseMaps = ['street', 'satellite'] as const satisfies readonly BaseMap[]

export const initialView = { center: { lat: 39.83, lng: -98.58 }, zoom: 5 } as const
export const firstParcelZoom = 12
export const selectionZoom = 15
export const viewerZoom = 14
/** Shows the surroundings of small land. */
export const closestLandZoom = 16
export const minZoom = 1
export const maxZoom = 18

/** Section 9, 'Markers'. */
export const pinSizePixels = 30
export const selectedPinSizePixels = 40

/** Dots below this zoom: pins would cover the land. */
export const pinsFromZoom = 12
export const dotSizePixels = 6

/** Section 9, 'Map interaction'. */
export const keyboardPanPixels = 80
export const wheelDebounceMs = 40
export const wheelPixelsPerZoomLevel = 60
export const longPressMs = 600
export const longPressTolerancePixels = 15
export const inertiaDeceleration = 3400
export const clickTolerancePixels = 9
export const touchFinishPixels = 10

/** Section 9, 'Drawing'. */
export const drawingErrorMs = 2500
export const editingErrorMs = 1000
export const guidelineDashPixels = 20
export const guidelineMaxPixels = 4000
