import { featureKinds, featureShapes } from '#domain/features/kinds.ts'
import type { TileAddress } from './tile-address.ts'
import { tileExtent, toTilePoint } from './tile-geometry.ts'
import type { TileLeader } from './tiles.queries.ts'

/** A tile has 64 cells an axis. */
const cellsAcross = 64

const kindNumbers = Object.fromEntries(featureKinds.map((kind, number) => [kind, number]))
const shapeNumbers = Object.fromEntries(featureShapes.map((shape, number) => [shape, number]))

/** A leader with its place on the tile, in the tile's units. */
export type PlacedLeader = { leader: TileLeader; x: number; y: number }

/**
 * Leaders in the order in which they come onto a tile that cannot hold them all: one for each cell, one for each kind
 * in a cell, one for each shape of a kind. Where several types are asked for, each has a leader; one of them stands
 * for all, and the others are left out.
 */
export function orderLeaders(tile: TileAddress, leaders: readonly TileLeader[]): PlacedLeader[] {
  const groups = new Array<PlacedLeader | undefined>(cellsAcross ** 2 * 9)
  for (const leader of leaders) {
    const [x, y] = toTilePoint(tile, leader.lng, leader.lat)
    const shape = shapeNumbers[leader.shape] as number
    const group = (cellOf(x, y) * 3 + (kindNumbers[leader.kind] as number)) * 3 + shape
    const first = groups[group]?.leader
    if (!first || leader.zoom < first.zoom || (leader.zoom === first.zoom && leader.id < first.id))
      groups[group] = { leader, x, y }
  }
  const tiers: [PlacedLeader[], PlacedLeader[], PlacedLeader[]] = [[], [], []]
  for (let cell = 0; cell < cellsAcross ** 2; cell++) {
    let tier = 0
    for (let kind = 0; kind < 3; kind++) {
      const ofKind = groups.slice((cell * 3 + kind) * 3, (cell * 3 + kind) * 3 + 3)
      for (const placed of ofKind) {
        if (!placed) continue
        tiers[tier as 0 | 1 | 2].push(placed)
        tier = 2
      }
      if (tier === 2) tier = 1
    }
  }
  // Those that lead from farther away first; of equals not one side of the tile before the other.
  for (const tier of tiers)
    tier.sort((one, other) => one.leader.zoom - other.leader.zoom || scatter(one) - scatter(other))
  return tiers.flat()
}

function cellOf(x: number, y: number): number {
  const at = (unit: number) => Math.min(cellsAcross - 1, Math.floor((unit / tileExtent) * cellsAcross))
  return at(y) * cellsAcross + at(x)
}

/** Neighbouring cells are far apart in this order. */
function scatter({ x, y }: PlacedLeader): number {
  return Math.imul(cellOf(x, y), 0x9e3779b1) >>> 0
}
