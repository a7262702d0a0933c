import type { FeatureKind } from '#domain/definition/kinds.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { mortonBits, mortonRangeOfCell, sharedDepth } from './morton.ts'
import { maxTileZoom } from './tile-zooms.ts'

// Selects features for crowded tiles. A tile is a grid of cells of 8 pixels, and shows only the first feature of a
// group in each. The rank of a feature is the first zoom at which it represents its cell; it still does at deeper
// zooms, because smaller cells contain no other features.

/** A tile has 2^6 cells per axis. */
export const cellBits = 6

/** No zoom separates features in one cell of this level. */
const deepestCell = maxTileZoom + cellBits

export const alwaysHidden = 99

export const everyRank = [...Array.from({ length: maxTileZoom + 1 }, (_, zoom) => zoom), alwaysHidden]

export const smallestCell = { codes: 4 ** (mortonBits - deepestCell) }

export type Candidate = { id: string; morton: number; priority: number }

/** Morton codes of a cell at this zoom. */
export function codesOfCell(zoom: number): number {
  return 4 ** (mortonBits - zoom - cellBits)
}

/** The larger comes first. An incident without a date matches every time filter, so it must not hide others. */
export function priorityOf({
  kind,
  date,
  size,
}: {
  kind: FeatureKind
  date: number | null
  size: number
}): number {
  if (!kindTraits[kind].isDated) return size
  return date ?? Number.POSITIVE_INFINITY
}

export function precedes(one: Omit<Candidate, 'morton'>, other: Omit<Candidate, 'morton'>): boolean {
  return one.priority === other.priority ? one.id < other.id : one.priority > other.priority
}

export function zoomApart(morton: number, otherMorton: number): number {
  return zoomBelow(sharedDepth(morton, otherMorton))
}

function zoomBelow(depth: number): number {
  const zoom = depth + 1 - cellBits
  return zoom > maxTileZoom ? alwaysHidden : Math.max(0, zoom)
}

export function cellAt(morton: number, zoom: number): { first: number; end: number } {
  return mortonRangeOfCell(morton, zoom + cellBits)
}

/**
 * Takes one group in the order of Morton codes. Reports each rank as soon as it is certain, and stores one
 * feature per quadtree level.
 */
export class RepresentativeSearch<Entry extends Candidate> {
  private readonly cells: { depth: number; first: Entry }[] = []
  private latest: Entry | undefined
  private readonly onRanked: (entry: Entry, zoom: number) => void

  constructor(onRanked: (entry: Entry, zoom: number) => void) {
    this.onRanked = onRanked
  }

  add(entry: Entry) {
    if (this.latest) {
      const depth = Math.min(deepestCell, sharedDepth(this.latest.morton, entry.morton))
      const first = this.close(this.latest, depth)
      const cell = this.cells.at(-1)
      if (cell?.depth === depth) cell.first = this.decide(cell.first, first, depth)
      else this.cells.push({ depth, first })
    }
    this.latest = entry
  }

  finish() {
    if (this.latest) this.onRanked(this.close(this.latest, -1), 0)
    this.latest = undefined
  }

  private close(latest: Entry, depth: number): Entry {
    let first = latest
    for (let cell = this.cells.at(-1); cell && cell.depth > depth; cell = this.cells.at(-1)) {
      this.cells.pop()
      first = this.decide(cell.first, first, cell.depth)
    }
    return first
  }

  private decide(one: Entry, other: Entry, depth: number): Entry {
    const [first, second] = precedes(one, other) ? [one, other] : [other, one]
    this.onRanked(second, zoomBelow(depth))
    return first
  }
}
