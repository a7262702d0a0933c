/** What a tile may hold at the most. */
export const maxTileFeatures = 24_000
export const maxTileBytes = 500_000

/** Layers, keys, and values that many features share. */
const frameBytes = 2_000

/** What is left of a tile's limits. */
export class TileBudget {
  private features = maxTileFeatures
  private bytes = maxTileBytes - frameBytes

  get leftBytes() {
    return this.bytes
  }

  /** Takes the bytes if they still fit; returns whether they did. */
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
