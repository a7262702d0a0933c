import { type LngLat, LngLatBounds, Point } from 'maplibre-gl'
import { latOfMercatorY, lngOfMercatorX, mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'

// The part of the map engine that the drawing tools use, for a document without layout: it has a camera and finds
// shapes, but handles no gestures and paints nothing.

type Place = { lng: number; lat: number }
type Feature = {
  geometry: { type: string; coordinates: unknown }
  properties: { id: string; kind: string }
}
type Layer = { id: string; source: string; type: string }
type Listener = (event: object) => void
type Flight = { center?: [number, number]; around?: [number, number]; zoom?: number; duration?: number }

export class StubMap {
  readonly version = '5.8.0'
  readonly style = { _loaded: true }
  readonly dragPan = switchable()
  readonly dragRotate = switchable()
  readonly doubleClickZoom = switchable()
  readonly boxZoom = switchable()
  readonly #canvas = document.createElement('canvas')
  readonly #container = document.createElement('div')
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #sources = new Map<string, { data: unknown; setData(data: unknown): void }>()
  readonly #controls = new Set<{ onAdd(map: StubMap): unknown; onRemove(map: StubMap): void }>()
  readonly flights: Flight[] = []
  hasReducedMotion = false
  #end = () => {}
  #layers: Layer[] = []
  #center: Place
  #zoom: number

  constructor({ zoom, ...center }: Place & { zoom: number }) {
    this.#center = center
    // The page counts tiles of 256 pixels, the engine of 512.
    this.#zoom = zoom - 1
    this.#canvas.tabIndex = 0
    this.#canvas.setPointerCapture = () => {}
    this.#container.append(this.#canvas)
  }

  getContainer = () => this.#container
  getCanvasContainer = () => this.#container
  getCanvas = () => this.#canvas
  getZoom = () => this.#zoom
  getCenter = () => ({ ...this.#center, toArray: () => [this.#center.lng, this.#center.lat] })
  getBounds = () => {
    const { lng: west, lat: south } = this.unproject({ x: 0, y: size.y })
    const { lng: east, lat: north } = this.unproject({ x: size.x, y: 0 })
    return new LngLatBounds([west, south, east, north])
  }

  project = (place: Place | [number, number]): Point => {
    const { lng, lat } = Array.isArray(place) ? { lng: place[0], lat: place[1] } : place
    const x = (mercatorX(lng) - mercatorX(this.#center.lng)) * this.#worldPixels
    const y = (mercatorY(lat) - mercatorY(this.#center.lat)) * this.#worldPixels
    return new Point(x + size.x / 2, y + size.y / 2)
  }

  unproject = (point: { x: number; y: number } | [number, number]): Place => {
    const { x, y } = Array.isArray(point) ? { x: point[0], y: point[1] } : point
    return {
      lng: lngOfMercatorX(mercatorX(this.#center.lng) + (x - size.x / 2) / this.#worldPixels),
      lat: latOfMercatorY(mercatorY(this.#center.lat) + (y - size.y / 2) / this.#worldPixels),
    }
  }

  moveTo(center: Place) {
    this.#center = { lng: center.lng, lat: center.lat }
    this.fire('move')
  }

  cameraForBounds = ([west = 0, south = 0, east = 0, north = 0]: number[], { maxZoom = 0 }) => ({
    center: [(west + east) / 2, (south + north) / 2],
    zoom: maxZoom,
  })
  easeTo = (flight: Flight, data: object = {}) => {
    this.#end()
    this.flights.push(flight)
    this.fire('movestart', data)
    const arrive = () => {
      this.#end = () => {}
      const center = flight.center ?? this.#centerAfter(flight)
      this.#zoom = flight.zoom ?? this.#zoom
      this.moveTo({ lng: center[0], lat: center[1] })
      this.fire('moveend', data)
    }
    if (this.hasReducedMotion) return arrive()
    const timer = setTimeout(arrive, flight.duration)
    this.#end = () => {
      clearTimeout(timer)
      this.fire('moveend', data)
    }
  }
  jumpTo = ({ center, zoom = this.#zoom }: Flight) => {
    this.fire('movestart')
    this.#zoom = zoom
    if (center) this.moveTo({ lng: center[0], lat: center[1] })
    this.fire('moveend')
  }
  /** `around` stays in place on the screen. */
  #centerAfter({ around, zoom = this.#zoom }: Flight): [number, number] {
    const { lng, lat } = this.#center
    if (!around) return [lng, lat]
    const [x, y] = [mercatorX(around[0]), mercatorY(around[1])]
    const shrink = 2 ** (this.#zoom - zoom)
    return [
      lngOfMercatorX(x + (mercatorX(lng) - x) * shrink),
      latOfMercatorY(y + (mercatorY(lat) - y) * shrink),
    ]
  }

  on = (name: string, listener: Listener) => {
    this.#listeners.set(name, (this.#listeners.get(name) ?? new Set()).add(listener))
  }
  off = (name: string, listener: Listener) => void this.#listeners.get(name)?.delete(listener)
  fire(name: string, event: { lngLat?: LngLat } = {}) {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(event)
  }

  addSource = (id: string, source: { data: unknown }) => {
    const stored = {
      data: source.data,
      setData(data: unknown) {
        stored.data = data
      },
    }
    this.#sources.set(id, stored)
  }
  getSource = (id: string) => this.#sources.get(id)
  removeSource = (id: string) => void this.#sources.delete(id)
  addLayer = (layer: Layer) => void this.#layers.push(layer)
  getLayer = (id: string) => this.#layers.find((layer) => layer.id === id)
  removeLayer = (id: string) => {
    this.#layers = this.#layers.filter((layer) => layer.id !== id)
  }
  getStyle = () => ({ layers: this.#layers })
  hasImage = () => true

  addControl = (control: { onAdd(map: StubMap): unknown; onRemove(map: StubMap): void }) => {
    this.#controls.add(control)
    control.onAdd(this)
  }
  hasControl = (control: { onAdd(map: StubMap): unknown; onRemove(map: StubMap): void }) =>
    this.#controls.has(control)
  removeControl = (control: { onAdd(map: StubMap): unknown; onRemove(map: StubMap): void }) => {
    this.#controls.delete(control)
    control.onRemove(this)
  }

  featuresOf(source: string): Feature[] {
    return (this.#sources.get(source)?.data as { features: Feature[] } | undefined)?.features ?? []
  }

  /** Edges and points before insides, later features first. */
  queryRenderedFeatures = ([low, high]: [[number, number], [number, number]]) => {
    const point = new Point((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
    const features = this.featuresOf('shapes').toReversed()
    const hits = (layer: string, isHit: (feature: Feature) => boolean) =>
      features.filter(isHit).map((feature) => ({ ...feature, layer: { id: layer } }))
    return [
      ...hits('shape-line', (feature) => this.#distance(point, feature) <= high[0] - point.x),
      ...hits('shape-fill', (feature) => this.#isInside(point, feature)),
    ]
  }

  #pathOf({ geometry: { type, coordinates } }: Feature): Point[] {
    const path = type === 'Polygon' ? (coordinates as [number, number][][])[0] : coordinates
    const positions = (type === 'Point' ? [coordinates] : path) as [number, number][]
    return positions.map(this.project)
  }
  #distance(point: Point, feature: Feature): number {
    const path = this.#pathOf(feature)
    // The head of a pin is above its place.
    if (path.length === 1) return (path[0] as Point).sub(new Point(0, 15)).dist(point) - 15
    return Math.min(...path.slice(1).map((to, index) => distanceToEdge(point, path[index] as Point, to)))
  }
  #isInside({ x, y }: Point, feature: Feature): boolean {
    if (feature.geometry.type !== 'Polygon') return false
    const path = this.#pathOf(feature)
    const crossed = path.slice(1).filter((to, index) => {
      const from = path[index] as Point
      return from.y > y !== to.y > y && x < from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x)
    })
    return crossed.length % 2 === 1
  }
  get #worldPixels() {
    return 512 * 2 ** this.#zoom
  }
}

const size = { x: 1_000, y: 680 }

function switchable() {
  const state: { isOn: boolean; options: unknown } = { isOn: true, options: undefined }
  return {
    state,
    isEnabled: () => state.isOn,
    enable: (options?: unknown) => void Object.assign(state, { isOn: true, options }),
    disable: () => void Object.assign(state, { isOn: false }),
  }
}

function distanceToEdge(point: Point, from: Point, to: Point): number {
  const edge = to.sub(from)
  const along = point.sub(from)
  const squared = edge.x ** 2 + edge.y ** 2 || 1
  const share = Math.max(0, Math.min(1, (along.x * edge.x + along.y * edge.y) / squared))
  return point.dist(from.add(edge.mult(share)))
}
