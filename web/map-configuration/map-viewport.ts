import type { Bounds, LatLng } from '#domain/geometry/geometry.schema.ts'

/** What the map beside the panel shows at this moment; the zoom is the specification's. */
export type MapViewport = { camera: LatLng & { zoom: number }; extent: Bounds }
