import { z } from 'zod'
import { latitude, longitude, ringOf } from '#domain/geometry/geometry.schema.ts'
import { type DrawingTool, drawingTools } from '#domain/map-configuration/map-constants.ts'
import { instant, mapId, text } from '#domain/values/common.schema.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { formatNumber } from '#domain/values/wording.ts'

/** Limits of one map: all its drawings are loaded with the map. */
export const maxDrawings = 5_000
export const maxDrawingVertices = 20_000
export const maxVerticesOfMap = 200_000

export const maxAddedDrawings = 500

export const maxNameLength = 200
export const maxNoteLength = 2_000

/** Without heights, which cannot be drawn. */
const position = z.tuple([longitude, latitude])
const tooMany = `A drawing can have at most ${formatNumber(maxDrawingVertices)} points.`

export const drawingGeometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: position }),
  z.object({
    type: z.literal('LineString'),
    coordinates: z
      .array(position)
      .min(2, 'a line needs at least 2 positions')
      .max(maxDrawingVertices, tooMany),
  }),
  z.object({
    type: z.literal('Polygon'),
    // Drawn areas have no holes.
    coordinates: z.array(ringOf(position).max(maxDrawingVertices, tooMany)).length(1),
  }),
])
export type DrawingGeometry = z.infer<typeof drawingGeometry>

const geometryTypes: Record<DrawingTool, DrawingGeometry['type']> = {
  marker: 'Point',
  circlemarker: 'Point',
  polyline: 'LineString',
  polygon: 'Polygon',
  rectangle: 'Polygon',
  circle: 'Polygon',
}

const fields = {
  kind: z.enum(drawingTools),
  geometry: drawingGeometry,
  name: text(maxNameLength),
  note: text(maxNoteLength),
}
const fits = ({ kind, geometry }: { kind: DrawingTool; geometry: DrawingGeometry }) =>
  geometryTypes[kind] === geometry.type
const misfit = { path: ['geometry', 'type'], message: 'does not match the type of the drawing' }

export const drawingChange = z.strictObject(fields).refine(fits, misfit)
export type DrawingChange = z.infer<typeof drawingChange>

/** The client chooses the id, so that a repeated request stores one drawing. */
const newDrawing = z.strictObject({ id: z.uuid(), ...fields }).refine(fits, misfit)
export type NewDrawing = z.infer<typeof newDrawing>

export const newDrawings = z.strictObject({
  items: z
    .array(newDrawing)
    .min(1)
    .max(maxAddedDrawings)
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'Use each id once.'),
})

export const drawing = z.object({
  id: z.string(),
  mapId,
  ...fields,
  author: z.string(),
  isOwn: z.boolean(),
  updatedBy: z.string(),
  createdAt: instant,
  updatedAt: instant,
  version: z.number().int().min(1),
})
export type Drawing = z.infer<typeof drawing>

/** Counts the repeated last position of a ring, too. */
export function vertexCount({ type, coordinates }: DrawingGeometry): number {
  if (type === 'Point') return 1
  return type === 'LineString' ? coordinates.length : coordinates.reduce((sum, ring) => sum + ring.length, 0)
}

export function isSameDrawing(a: DrawingChange, b: DrawingChange): boolean {
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.note === b.note &&
    isEqual(a.geometry.coordinates, b.geometry.coordinates)
  )
}
