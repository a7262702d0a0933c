// The used parts of the library. Its own types import files without extensions, which the compiler does not resolve
// here, so everything would be `any`.

declare module 'terra-draw' {
  import type { Feature, LineString, Point, Polygon } from 'geojson'

  type DrawFeature = Feature<Point | LineString | Polygon, Record<string, unknown>> & { id?: string | number }

  type DrawPointer = {
    lng: number
    lat: number
    containerX: number
    containerY: number
    button: 'neither' | 'left' | 'middle' | 'right'
    heldKeys: string[]
    isContextMenu: boolean
  }
  type SetDraggability = (isDraggable: boolean) => void
  type DrawCallbacks = {
    getState(): 'unregistered' | 'registered' | 'started' | 'drawing' | 'selecting' | 'stopped'
    onMouseMove(event: DrawPointer): void
    onClick(event: DrawPointer): void
    onDragStart(event: DrawPointer, setDraggability: SetDraggability): void
    onDrag(event: DrawPointer, setDraggability: SetDraggability): void
    onDragEnd(event: DrawPointer, setDraggability: SetDraggability): void
  }

  type Validation = (
    feature: DrawFeature,
    context: {
      updateType: 'commit' | 'provisional' | 'finish'
      project(lng: number, lat: number): { x: number; y: number }
    },
  ) => { valid: boolean; reason?: string }

  type ModeOptions = {
    modeName?: string
    /** Null disables keys, which need the focus on the map. */
    keyEvents?: null
    pointerEvents?: Record<
      'leftClick' | 'rightClick' | 'contextMenu' | 'onDragStart' | 'onDrag' | 'onDragEnd',
      boolean
    >
    pointerDistance?: number
    validation?: Validation
    drawInteraction?: 'click-move' | 'click-drag' | 'click-move-or-drag'
    segments?: number
    styles?: Record<string, string | number | ((feature: DrawFeature) => string | number)>
  }
  type EditFlags = {
    feature: {
      draggable?: boolean
      selfIntersectable?: boolean
      coordinates?: {
        draggable?: boolean
        deletable?: boolean
        midpoints?: { draggable: boolean }
        resizable?: 'opposite' | 'center-fixed'
      }
    }
  }

  abstract class Mode {
    constructor(options?: ModeOptions)
    mode: string
  }
  class TerraDrawRectangleMode extends Mode {}
  class TerraDrawPolygonMode extends Mode {}
  class TerraDrawLineStringMode extends Mode {}
  class TerraDrawCircleMode extends Mode {}
  class TerraDrawPointMode extends Mode {}
  class TerraDrawMarkerMode extends Mode {}
  class TerraDrawSelectMode extends Mode {
    constructor(options: ModeOptions & { flags: Record<string, EditFlags>; dragEventThrottle?: number })
  }
  class TerraDrawModeUndoRedo {}

  class TerraDraw {
    constructor(options: {
      adapter: TerraDrawExtend.TerraDrawBaseAdapter
      modes: Mode[]
      undoRedo?: { modeLevel?: TerraDrawModeUndoRedo }
    })
    get enabled(): boolean
    start(): void
    stop(): void
    clear(): void
    setMode(mode: string): void
    getSnapshot(): DrawFeature[]
    getSnapshotFeature(id: string | number): DrawFeature | undefined
    updateFeatureGeometry(id: string | number, geometry: DrawFeature['geometry']): void
    addFeatures(features: DrawFeature[]): { id?: string | number; valid: boolean; reason?: string }[]
    removeFeatures(ids: (string | number)[]): void
    selectFeature(id: string | number): void
    undo(): boolean
    redo(): boolean
    canUndo(): boolean
    canRedo(): boolean
    on(event: 'change', callback: () => void): void
    on(event: 'finish', callback: (id: string | number) => void): void
    on(event: 'select' | 'deselect', callback: (id: string | number) => void): void
  }

  namespace TerraDrawExtend {
    abstract class TerraDrawBaseAdapter {
      /** The position of a press that may become a drag. */
      protected _lastDrawEvent: DrawPointer | undefined
      protected _currentModeCallbacks: DrawCallbacks | undefined
      /** Each finds the canvas when it is registered. */
      protected _listeners: { register(): void; unregister(): void }[]
      register(callbacks: DrawCallbacks): void
      unregister(): void
      setDraggability(isDraggable: boolean): void
    }
  }
}

declare module 'terra-draw-maplibre-gl-adapter' {
  import type { TerraDrawExtend } from 'terra-draw'

  class TerraDrawMapLibreGLAdapter<MapType> extends TerraDrawExtend.TerraDrawBaseAdapter {
    constructor(options: {
      map: MapType
      prefixId: string
      coordinatePrecision: number
      minPixelDragDistance: number
      minPixelDragDistanceDrawing: number
      minPixelDragDistanceSelecting: number
    })
  }
}
