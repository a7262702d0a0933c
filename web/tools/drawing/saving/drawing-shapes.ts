import {
  type Drawing,
  type DrawingChange,
  type DrawingGeometry,
  maxNameLength,
  maxNoteLength,
} from '#domain/drawings/drawing.schema.ts'
import type { DrawnShape } from '../shapes/drawn-shape.ts'

const shapes = new WeakMap<Drawing, DrawnShape>()
const drawings = new WeakMap<DrawnShape, Drawing>()

/** A drawing as a shape of the map; the same one for the same drawing. */
export function toShape(drawing: Drawing): DrawnShape {
  const known = shapes.get(drawing)
  if (known) return known
  const { id, kind, geometry, name, note, author, createdAt, updatedBy, updatedAt } = drawing
  const texts = { ...(name === '' ? {} : { name }), ...(note === '' ? {} : { note }) }
  const shape: DrawnShape = {
    type: 'Feature',
    id,
    properties: { kind, ...texts, author, createdAt, updatedBy, updatedAt },
    geometry: geometry as DrawnShape['geometry'],
  }
  shapes.set(drawing, shape)
  drawings.set(shape, drawing)
  return shape
}

/** The drawing that a shape was made of, in the version that was seen; undefined for one that is not saved. */
export function drawingOf(shape: DrawnShape): Drawing | undefined {
  return drawings.get(shape)
}

/** A shape that was drawn here has been saved as this. */
export function noteDrawing(shape: DrawnShape, drawing: Drawing) {
  drawings.set(shape, drawing)
}

/** What of a shape is saved. Files name and describe theirs as they like. */
export function contentOf({ geometry, properties }: DrawnShape): DrawingChange {
  return {
    kind: properties.kind,
    geometry: { type: geometry.type, coordinates: geometry.coordinates } as DrawingGeometry,
    name: textOf(properties.name, maxNameLength),
    note: textOf(properties.note ?? properties.description, maxNoteLength),
  }
}

function textOf(value: unknown, length: number): string {
  if (typeof value !== 'string') return ''
  return value.replaceAll('\0', '').slice(0, length).toWellFormed()
}
