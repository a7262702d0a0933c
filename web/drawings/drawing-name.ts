import { type DrawnShape, toolLabels } from '#web/map/drawing/drawn-shape.ts'

/** The name that somebody gave it, or what it is. */
export function nameOf({ properties: { kind, name } }: DrawnShape): string {
  return typeof name === 'string' && name !== '' ? name : `${toolLabels[kind]} without a name`
}
