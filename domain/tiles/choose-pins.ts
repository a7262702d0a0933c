import { kindTraits } from '#domain/features/kind-traits.ts'
import { pinOrderOf } from '#domain/features/pin-order.ts'
import { pinsFromTileZoom, tilePixels } from '#domain/thinning/tile-zooms.ts'
import { tileExtent } from './tile-address.ts'
import type { Attributes, PlacedRepresentative, TileRepresentative } from './tile-features.ts'

/** This many pins of 30 pixels cover a quarter of a tile of 512 pixels. */
const mostPins = 80
/** With more pins, each kind has one per cell of about a pin's width. */
const cellPixels = 32
const cellUnits = (cellPixels / tilePixels) * tileExtent
const cellsAcross = tilePixels / cellPixels

export const hasPin = ({ shape, kind }: Attributes) =>
  shape === 'point' || (shape === 'polygon' && kindTraits[kind].pin !== null)

export function choosePins(
  z: number,
  representatives: readonly PlacedRepresentative[],
): ReadonlyMap<TileRepresentative, number> {
  const pins = new Map<TileRepresentative, number>()
  if (z < pinsFromTileZoom) return pins
  const possible = representatives.filter(({ representative }) => hasPin(representative.standing.attributes))
  const chosen = possible.length > mostPins ? firstOfCells(possible) : possible
  for (const { representative } of chosen) pins.set(representative, orderOf(representative))
  return pins
}

const orderOf = ({ standing, date }: TileRepresentative) => pinOrderOf(standing.attributes, date)

function firstOfCells(placed: readonly PlacedRepresentative[]): Iterable<PlacedRepresentative> {
  const firsts = new Map<string, { one: PlacedRepresentative; order: number }>()
  for (const one of placed) {
    const { representative, x, y } = one
    const cell = Math.floor(y / cellUnits) * cellsAcross + Math.floor(x / cellUnits)
    const key = `${cell} ${representative.standing.attributes.kind}`
    const first = firsts.get(key)
    const order = orderOf(representative)
    const isFirst =
      !first ||
      order < first.order ||
      (order === first.order && representative.standing.zoom < first.one.representative.standing.zoom)
    if (isFirst) firsts.set(key, { one, order })
  }
  return [...firsts.values()].map(({ one }) => one)
}
