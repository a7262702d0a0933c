import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { pathsOf } from '#domain/geometry/borders/corners.ts'
import type { Shape, ShapeEdit, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import type { SnapKind } from '#domain/geometry/borders/snap-corner.ts'
import { planarArea } from '#domain/geometry/borders/trace-areas.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import { counted, formatList, formatNumber } from '#domain/values/wording.ts'
import { formatDistance, formatLand, readersUnits } from '#web/ui/measures.ts'

/** 'parcel'. */
export const nounOf = (kind: DefinedKind) => definitions[kind].label.one.toLowerCase()

const maxNames = 4

export const nameOf = ({ name }: { name: string }) => name || 'Untitled'

export function namesOf(shapes: readonly { name: string }[]): string {
  const named = shapes.slice(0, maxNames).map(nameOf)
  const others = shapes.length - named.length
  return formatList(others === 0 ? named : [...named, `${formatNumber(others)} more`])
}

export const shapesIn = (edit: ShapeEdit): Shape[] =>
  [...edit.values()].flatMap(({ before, after }) => after ?? before ?? [])

const measured = new WeakMap<Geometry, number | null>()

/** Measured once for each shape. */
function acresOf({ geometry }: Shape): number | null {
  const acres = measured.get(geometry) ?? measureAcres(geometry)
  measured.set(geometry, acres)
  return acres
}

/** From the area before. In each frame of a drag, measuring on the ellipsoid would take too long. */
function approximateAcres(before: Shape, after: Shape): number | null {
  const acres = acresOf(before)
  return acres && (acres * planarArea(after.geometry)) / planarArea(before.geometry)
}

/** 'Lot 12: 29.8 to 30.1 acres'; null for removed shapes, lines and points. */
export function areaWords(edit: ShapeEdit, id: string, isPreview = false): string | null {
  const { before = null, after = null } = edit.get(id) ?? {}
  const was = before && acresOf(before)
  const is = after && (isPreview && before ? approximateAcres(before, after) : acresOf(after))
  if (!after || typeof is !== 'number') return null
  const to = formatLand(is, readersUnits())
  const from = typeof was === 'number' ? formatLand(was, readersUnits()) : to
  if (from === to)
    return `${nameOf(after)}: ${to}${before ? `, as before${cornersWords(before, after)}` : ''}`
  const unit = to.slice(to.lastIndexOf(' '))
  return `${nameOf(after)}: ${from.endsWith(unit) ? from.slice(0, -unit.length) : from} to ${to}`
}

/** Why a shape changes whose area does not. */
function cornersWords(before: Shape, after: Shape): string {
  const count = ({ geometry }: Shape) => pathsOf(geometry).reduce((sum, path) => sum + path.corners.length, 0)
  const more = count(after) - count(before)
  if (more === 0) return ''
  return `, with ${counted(Math.abs(more), `${more > 0 ? 'new' : 'deleted'} corner`)}`
}

const maxAreas = 3

/** Of some of the changed shapes, the given one first. */
export function areasWords(edit: ShapeEdit, first: string, isPreview = false): string {
  const ids = [...new Set([first, ...edit.keys()])].slice(0, maxAreas)
  return ids.flatMap((id) => areaWords(edit, id, isPreview) ?? []).join('; ')
}

export const movedWords = (meters: number) => `Moved ${formatDistance(meters, readersUnits())}`

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

/** 'Lot 12 (2)', or the next number that no other shape has. Adds it to `taken`. */
export function nameOfPiece(name: string, taken: Set<string>): string {
  const whole = name.replace(/ \(\d+\)$/, '')
  for (let count = 2; ; count++) {
    const piece = `${whole} (${count})`
    if (taken.has(piece)) continue
    taken.add(piece)
    return piece
  }
}

export const namesIn = (graph: ShapeGraph) => new Set([...graph.all()].map(({ name }) => name))
