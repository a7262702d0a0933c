import { drawingToolLabels } from '#domain/map-configuration/map-constants.ts'
import type { DrawnShape } from '../shapes/drawn-shape.ts'

/** The name that somebody gave it, or what it is. */
export function nameOf({ properties: { kind, name } }: DrawnShape): string {
  return typeof name === 'string' && name !== '' ? name : `${drawingToolLabels[kind]} without a name`
}
