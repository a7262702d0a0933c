/** What a tile may hold at the most. */
export const maxTileFeatures = 24_000
export const maxTileBytes = 500_000

/** Layers, keys, and values that many features share. */
const frameBytes = 2_000

export type Encodable = {
  type: 1 | 2 | 3
  geometry: number[][] | number[][][]
  tags: Record<string, string>
}

/** What a feature takes in an encoded tile: never less than it really does. */
export function bytesOf({ type, geometry, tags }: Encodable): number {
  let geometryBytes = 0
  let [atX, atY] = [0, 0]
  const addPart = (part: readonly number[][]) => {
    // The commands: move to, line to and close.
    geometryBytes += type === 1 ? 1 : 5
    for (const [x, y] of part as [number, number][]) {
      geometryBytes += varintBytes(x - atX) + varintBytes(y - atY)
      atX = x
      atY = y
    }
  }
  if (type === 1) addPart(geometry as number[][])
  else for (const part of geometry as number[][][]) addPart(part)
  let tagBytes = 0
  // The id is a value of its own, and numbered behind all others; what it has besides is shared.
  for (const name in tags) tagBytes += name === 'id' ? 4 + 4 + (tags[name] as string).length : 3
  const isLong = geometryBytes > 80 || tagBytes > 120
  return tagBytes + geometryBytes + 9 + (isLong ? 6 : 0)
}

/** Zigzag: small numbers of either sign are short. */
function varintBytes(step: number): number {
  const size = Math.abs(step)
  return size < 64 ? 1 : size < 8_192 ? 2 : size < 1_048_576 ? 3 : 5
}

/** What is left of a tile's limits. */
export class TileBudget {
  private features = maxTileFeatures
  private bytes = maxTileBytes - frameBytes

  get leftBytes() {
    return this.bytes
  }

  /** Whether it still fits; then it is taken. */
  take(bytes: number): boolean {
    if (this.features < 1 || bytes > this.bytes) return false
    this.features -= 1
    this.bytes -= bytes
    return true
  }

  giveBack(bytes: number) {
    this.features += 1
    this.bytes += bytes
  }
}
