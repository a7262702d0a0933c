import {
  type Drawing,
  type DrawingChange,
  type DrawingGeometry,
  maxNameLength,
  maxNoteLength,
} from '#domain/drawings/drawing.schema.ts'
import { drawingToolLabels } from '#domain/map-configuration/map-constants.ts'
import { relativeTime } from '#web/ui/relative-time.ts'
import type { DrawnShape } from '../shapes/drawn-shape.ts'

const shapes = new WeakMap<Drawing, DrawnShape>()
const drawings = new WeakMap<DrawnShape, Drawing>()

/** Returns the same shape for the same drawing. */
export function toShape(drawing: Drawing): DrawnShape {
  const existing = shapes.get(drawing)
  if (existing) return existing
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

/** Undefined if the shape is not saved. */
export function drawingOf(shape: DrawnShape): Drawing | undefined {
  return drawings.get(shape)
}

export function noteDrawing(shape: DrawnShape, drawing: Drawing) {
  drawings.set(shape, drawing)
}

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

export function shapeName({ properties: { kind, name } }: DrawnShape): string {
  return typeof name === 'string' && name !== '' ? name : `Unnamed ${drawingToolLabels[kind].toLowerCase()}`
}

export function authorLine(shape: DrawnShape): string {
  const drawing = drawingOf(shape)
  if (!drawing) return 'Not saved yet'
  const { author, isOwn, createdAt, updatedBy, updatedAt, version } = drawing
  const drawn = `Drawn by ${isOwn ? `you (${author})` : author}, ${relativeTime(createdAt)}`
  return version === 1 ? drawn : `${drawn}; changed by ${updatedBy}, ${relativeTime(updatedAt)}`
}
