import { drawingToolLabels } from '#domain/map-configuration/map-constants.ts'
import { relativeTime } from '#web/ui/relative-time.ts'
import type { DrawnShape } from '../shapes/drawn-shape.ts'
import { drawingOf } from './drawing-shapes.ts'

/** The name, or the kind of shape. */
export function nameOf({ properties: { kind, name } }: DrawnShape): string {
  return typeof name === 'string' && name !== '' ? name : `${drawingToolLabels[kind]} without a name`
}

export function authorLine(shape: DrawnShape): string {
  const drawing = drawingOf(shape)
  if (!drawing) return 'Not saved yet'
  const { author, isOwn, createdAt, updatedBy, updatedAt, version } = drawing
  const drawn = `Drawn by ${isOwn ? `you (${author})` : author}, ${relativeTime(createdAt)}`
  return version === 1 ? drawn : `${drawn}; changed by ${updatedBy}, ${relativeTime(updatedAt)}`
}
