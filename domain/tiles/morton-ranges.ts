import { mortonRangeOfTile } from '#domain/thinning/morton.ts'
import type { TileAddress } from './tile-address.ts'

export type MortonRange = { first: number; end: number }

/** A tile with a frame of at least `reach` (a share of the tile's width), in few ranges. */
export function rangesAround({ z, x, y }: TileAddress, reach: number): MortonRange[] {
  // Pieces hardly wider than the frame, but not so many that lookups cost more.
  const halvings = reach <= 0.25 ? 2 : reach <= 0.5 ? 1 : 0
  const pieces = 2 ** halvings
  const last = 2 ** (z + halvings) - 1
  const from = (at: number) => Math.max(0, Math.floor((at - reach) * pieces))
  const to = (at: number) => Math.min(last, Math.ceil((at + 1 + reach) * pieces) - 1)
  const ranges: MortonRange[] = []
  for (let row = from(y); row <= to(y); row++)
    for (let column = from(x); column <= to(x); column++)
      ranges.push(mortonRangeOfTile(z + halvings, column, row))
  return joinRanges(ranges)
}

function joinRanges(ranges: MortonRange[]): MortonRange[] {
  const joined: MortonRange[] = []
  for (const range of ranges.sort((one, other) => one.first - other.first)) {
    const last = joined.at(-1)
    if (last?.end === range.first) last.end = range.end
    else joined.push(range)
  }
  return joined
}
