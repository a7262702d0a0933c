import { mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'

// Morton (Z-order) codes of places on the Web Mercator square. Every tile is one contiguous range, so a
// B-tree finds its places with one range scan.

/** Cells of 0.6 m at the equator, and codes of 52 bits, which a JavaScript number holds exactly. */
export const mortonBits = 26

const cells = 2 ** mortonBits

/** Moves bit n of a 13-bit number to bit 2n. */
function spread(value: number): number {
  let bits = value & 0x1fff
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  return (bits | (bits << 1)) & 0x55555555
}

/** Up to 26 bits each; y takes the higher bit of each pair. */
function interleave(x: number, y: number): number {
  const low = (spread(x) | (spread(y) << 1)) >>> 0
  const high = (spread(x >>> 13) | (spread(y >>> 13) << 1)) >>> 0
  return high * 2 ** 26 + low
}

/** WGS 84 degrees. */
export function mortonCode(lng: number, lat: number): number {
  const cell = (unit: number) => Math.min(cells - 1, Math.max(0, Math.floor(unit * cells)))
  return interleave(cell(mercatorX(lng)), cell(mercatorY(lat)))
}

/** From `first` up to, but without, `end`. */
export function mortonRangeOfTile(z: number, x: number, y: number): { first: number; end: number } {
  const codes = 4 ** (mortonBits - z)
  const index = interleave(x, y)
  return { first: index * codes, end: (index + 1) * codes }
}

/** Quadtree levels: 0 to 26. */
export function sharedDepth(code: number, other: number): number {
  const high = Math.floor(code / 2 ** mortonBits) ^ Math.floor(other / 2 ** mortonBits)
  if (high !== 0) return (Math.clz32(high) - (32 - mortonBits)) >> 1
  const low = (code % 2 ** mortonBits) ^ (other % 2 ** mortonBits)
  return low === 0 ? mortonBits : (mortonBits / 2 + (Math.clz32(low) - (32 - mortonBits)) / 2) | 0
}

export function mortonRangeOfCell(code: number, depth: number): { first: number; end: number } {
  const codes = 4 ** (mortonBits - depth)
  const first = Math.floor(code / codes) * codes
  return { first, end: first + codes }
}
