import { featureKinds } from '#domain/features/kinds.ts'
import type { TileAddress } from './tile-address.ts'
import { tileExtent, toTilePoint } from './tile-geometry.ts'
import type { TileLeader } from './tiles.queries.ts'

/** A tile has 64 cells an axis. */
const cellUnits = tileExtent / 64

const orderOfKind = Object.fromEntries(featureKinds.map((kind, order) => [kind, order]))

/**
 * Leaders in the order in which they come onto a tile that cannot hold them all: one for each cell, one for each kind
 * in a cell, one for each shape of a kind. Where several types are asked for, each has a leader; one of them stands
 * for all, and the others are left out.
 */
export function orderLeaders(tile: TileAddress, leaders: readonly TileLeader[]): TileLeader[] {
  const sorted = leaders.toSorted(
    (one, other) =>
      (orderOfKind[one.kind] as number) - (orderOfKind[other.kind] as number) ||
      one.zoom - other.zoom ||
      (one.id < other.id ? -1 : 1),
  )
  const tiers: [TileLeader[], TileLeader[], TileLeader[]] = [[], [], []]
  const [cells, kinds, groups] = [new Set<number>(), new Set<string>(), new Set<string>()]
  for (const leader of sorted) {
    const [x, y] = toTilePoint(tile, leader.lng, leader.lat)
    const cell = Math.floor(y / cellUnits) * 64 + Math.floor(x / cellUnits)
    const kind = `${cell} ${leader.kind}`
    const group = `${kind} ${leader.shape}`
    if (groups.has(group)) continue
    const tier = !cells.has(cell) ? 0 : kinds.has(kind) ? 2 : 1
    tiers[tier].push(leader)
    cells.add(cell)
    kinds.add(kind)
    groups.add(group)
  }
  return tiers.flat()
}
