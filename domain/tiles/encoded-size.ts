import { type TagValues, tileTags } from './tile-features.ts'

/** In tile units. Without names: hovering fetches them. */
export type Encodable = { id: string; attributes: TagValues } & (
  | { type: 1; geometry: number[][] }
  | { type: 2 | 3; geometry: number[][][] }
)

/** The id is always a new value; pin order and count may be new; all others are shared. */
export function bytesWithoutGeometry({ id, attributes }: Pick<Encodable, 'id' | 'attributes'>): number {
  let bytes = 9 + 4 + 4 + id.length
  for (const name of tileTags) if (attributes[name]) bytes += 3
  for (const value of [attributes.pin_order, attributes.count]) if (value) bytes += 6 + value.length
  return bytes
}

/** Upper bounds of the bytes of a feature in a tile. */
export function bytesOf(feature: Encodable): number {
  const { type, geometry } = feature
  let geometryBytes = 0
  let [atX, atY] = [0, 0]
  const addPart = (part: readonly number[][]) => {
    geometryBytes += type === 1 ? 1 : 5
    for (const point of part) {
      const x = point[0] as number
      const y = point[1] as number
      geometryBytes += varintBytes(x - atX) + varintBytes(y - atY)
      atX = x
      atY = y
    }
  }
  if (type === 1) addPart(geometry)
  else for (const part of geometry) addPart(part)
  const otherBytes = bytesWithoutGeometry(feature)
  const isLong = geometryBytes > 80 || otherBytes > 129
  return otherBytes + geometryBytes + (isLong ? 6 : 0)
}

/** Zigzag: small numbers of either sign are short. */
function varintBytes(step: number): number {
  const size = Math.abs(step)
  return size < 64 ? 1 : size < 8_192 ? 2 : size < 1_048_576 ? 3 : 5
}
