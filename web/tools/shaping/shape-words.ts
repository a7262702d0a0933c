import type { Shape, ShapeEdit } from '#domain/geometry/borders/shape-graph.ts'
import type { SnapKind } from '#domain/geometry/borders/snap-corner.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { formatList, formatNumber } from '#domain/values/wording.ts'
import { formatLand, readersUnits } from '#web/ui/measures.ts'

const maxNames = 4

export const nameOf = ({ name }: { name: string }) => name || 'Untitled'

export function namesOf(shapes: readonly { name: string }[]): string {
  const named = shapes.slice(0, maxNames).map(nameOf)
  const others = shapes.length - named.length
  return formatList(others === 0 ? named : [...named, `${formatNumber(others)} more`])
}

export const shapesIn = (edit: ShapeEdit): Shape[] =>
  [...edit.values()].flatMap(({ before, after }) => after ?? before ?? [])

/** 'Lot 12: 29.8 to 30.1 acres'; null if its area stays, and for lines and points. */
export function areaWords(edit: ShapeEdit, id: string): string | null {
  const { before, after } = edit.get(id) ?? {}
  const [was, is] = [before, after].map((shape) => (shape ? measureAcres(shape.geometry) : null))
  if (!after || was === null || was === undefined || is === null || is === undefined) return null
  const [from, to] = [was, is].map((acres) => formatLand(acres, readersUnits()))
  if (from === undefined || to === undefined || from === to) return `${nameOf(after)}: ${to}`
  const unit = to.slice(to.lastIndexOf(' '))
  return `${nameOf(after)}: ${from.endsWith(unit) ? from.slice(0, -unit.length) : from} to ${to}`
}

export function snapWords(kind: SnapKind, shape: Shape | undefined): string {
  const of = shape ? ` of ${nameOf(shape)}` : ''
  const words: Record<SnapKind, string> = {
    corner: `Snaps to a corner${of}`,
    edge: `Snaps to the border${of}`,
    'right angle': 'Snaps to a right angle',
    extension: 'Snaps in line with the border',
    parallel: 'Snaps parallel to a border',
  }
  return words[kind]
}
