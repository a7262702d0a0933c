import type { FeatureKind } from '#domain/definition/kinds.ts'
import { mortonBits, mortonRangeOfCell, sharedDepth } from './morton.ts'
import { maxTileZoom } from './tile-zooms.ts'

// Which feature represents a crowd. A tile is a grid of cells of 8 pixels; of the features of one group whose locations
// lie in one cell only the first is on the tile. A feature's rank is the first zoom at which it represents its cell.
// Deeper down it goes on doing so, because a smaller cell holds no others than the larger one around it.

/** A tile has 2^6 cells an axis. */
export const cellBits = 6

/** The deepest level of the quadtree: features in one of its cells are not told apart at any zoom. */
const deepestCell = maxTileZoom + cellBits

/** Rank of a feature that another one hides at every zoom. */
export const alwaysHidden = 99

/** Every rank that there is. */
export const everyRank = [...Array.from({ length: maxTileZoom + 1 }, (_, zoom) => zoom), alwaysHidden]

/** Features in one of these cells stay together at every zoom. */
export const smallestCell = { codes: 4 ** (mortonBits - deepestCell) }

export type Candidate = { id: string; morton: number; priority: number }

/** Morton codes of a cell of a tile of this zoom. */
export function codesOfCell(zoom: number): number {
  return 4 ** (mortonBits - zoom - cellBits)
}

/** The larger comes first. An incident without a date matches every time filter, so it hides none that matches. */
export function priorityOf({
  kind,
  date,
  size,
}: {
  kind: FeatureKind
  date: number | null
  size: number
}): number {
  if (kind !== 'incident') return size
  return date ?? Number.POSITIVE_INFINITY
}

export function precedes(one: Omit<Candidate, 'morton'>, other: Omit<Candidate, 'morton'>): boolean {
  return one.priority === other.priority ? one.id < other.id : one.priority > other.priority
}

/** First zoom at which two features are in different cells. */
export function zoomApart(morton: number, otherMorton: number): number {
  return zoomBelow(sharedDepth(morton, otherMorton))
}

/** First zoom whose cells are smaller than those of a level of the quadtree. */
function zoomBelow(depth: number): number {
  const zoom = depth + 1 - cellBits
  return zoom > maxTileZoom ? alwaysHidden : Math.max(0, zoom)
}

/** Codes of the cell of a tile of this zoom. */
export function cellAt(morton: number, zoom: number): { first: number; end: number } {
  return mortonRangeOfCell(morton, zoom + cellBits)
}

/**
 * Ranks the features of one group, which come in the order of their Morton codes. Each is told of as soon as its
 * rank is changes; nothing is kept but one feature for each level of the quadtree.
 */
export class RepresentativeSearch<Entry extends Candidate> {
  /** Open cells from large to small, each with the first of those that came into it before the latest. */
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

  /** Call it when no more features come. */
  finish() {
    if (this.latest) this.onRanked(this.close(this.latest, -1), 0)
    this.latest = undefined
  }

  /** Closes the cells smaller than this depth, and returns the first of all that was in them. */
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
