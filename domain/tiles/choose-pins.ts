import { pinOrderOf } from '#domain/features/pin-order.ts'
import { pinsFromTileZoom, tilePixels } from '#domain/thinning/tile-zooms.ts'
import { tileExtent } from './tile-address.ts'
import type { Attributes, PlacedRepresentative, TileRepresentative } from './tile-features.ts'

/** So many pins of 30 pixels cover a quarter of a tile of 512, and pins cluster. */
const mostPins = 80
/** Where there are more, each kind has one in a cell of about a pin's width. The map lets none cover another. */
const cellPixels = 32
const cellUnits = (cellPixels / tilePixels) * tileExtent
const cellsAcross = tilePixels / cellPixels

/** Land has none, nor have lines. */
export const hasPin = ({ shape, kind }: Attributes) =>
  shape === 'point' || (shape === 'polygon' && kind !== 'parcel')

/** Which representatives have a pin on a tile of this zoom, with the order in which they keep it. */
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

/** Of equals the one that stands from farther away. */
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
