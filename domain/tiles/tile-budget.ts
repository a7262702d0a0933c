export const maxTileFeatures = 24_000
export const maxTileBytes = 500_000

/** Reserved for layers, keys and shared values. */
const frameBytes = 2_000

export class TileBudget {
  private features = maxTileFeatures
  private bytes = maxTileBytes - frameBytes

  get leftBytes() {
    return this.bytes
  }

  /** Returns false if the bytes do not fit. */
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
