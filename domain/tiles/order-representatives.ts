import { featureKinds, featureShapes } from '#domain/definition/kinds.ts'
import { maxTileZoom } from '#domain/thinning/tile-zooms.ts'
import { type TileAddress, tileExtent, toTilePoint } from './tile-address.ts'
import type { PlacedRepresentative, TileRepresentative } from './tile-features.ts'

const cellsAcross = 64
const cellCount = cellsAcross ** 2

const kindNumbers = Object.fromEntries(featureKinds.map((kind, number) => [kind, number]))
const shapeNumbers = Object.fromEntries(featureShapes.map((shape, number) => [shape, number]))
const groupsInKind = featureShapes.length
const groupsInCell = featureKinds.length * groupsInKind

/**
 * Sorts representatives for a tile that cannot hold them all: first one per cell, then one per kind in a cell,
 * then one per shape of a kind. With several types, one representative stands for all of them. Within each tier,
 * those visible from farther away come first, and equal ones are spread over the tile.
 */
export function orderRepresentatives(
  tile: TileAddress,
  representatives: readonly TileRepresentative[],
): PlacedRepresentative[] {
  const groups = new Array<PlacedRepresentative | undefined>(cellCount * groupsInCell).fill(undefined)
  for (const representative of representatives) {
    const [x, y] = toTilePoint(tile, representative.lng, representative.lat)
    const { attributes, zoom } = representative.standing
    const { kind, shape } = attributes
    const groupOfKind = (kindNumbers[kind] as number) * groupsInKind + (shapeNumbers[shape] as number)
    const group = cellOf(x, y) * groupsInCell + groupOfKind
    const first = groups[group]?.representative
    if (
      !first ||
      zoom < first.standing.zoom ||
      (zoom === first.standing.zoom && representative.id < first.id)
    )
      groups[group] = { representative, x, y }
  }
  const tiers = [byZoom(), byZoom(), byZoom()] as const
  for (const cell of scatteredCells) {
    let tier: 0 | 1 | 2 = 0
    for (let number = 0; number < groupsInCell; number++) {
      if (number % groupsInKind === 0 && tier === 2) tier = 1
      const placed = groups[cell * groupsInCell + number]
      if (!placed) continue
      tiers[tier][placed.representative.standing.zoom]?.push(placed)
      tier = 2
    }
  }
  return tiers.flat(2)
}

const byZoom = () => Array.from({ length: maxTileZoom + 1 }, (): PlacedRepresentative[] => [])

function cellOf(x: number, y: number): number {
  const at = (unit: number) => Math.min(cellsAcross - 1, Math.floor((unit / tileExtent) * cellsAcross))
  return at(y) * cellsAcross + at(x)
}

/** Neighboring cells are far apart in it. */
const scatteredCells = Array.from({ length: cellCount }, (_, cell) => cell).sort(
  (one, other) => scatter(one) - scatter(other),
)

function scatter(cell: number): number {
  return Math.imul(cell, 0x9e3779b1) >>> 0
}
