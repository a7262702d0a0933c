import type { Bounds } from '#domain/geometry/geometry.schema.ts'

// What is in view, as the server is asked for it.

/** West, south, east, north, within what coordinates can be. */
export function exactBox({ west, south, east, north }: Bounds): string {
  const within = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value)).toFixed(5)
  return [within(west, 180), within(south, 90), within(east, 180), within(north, 90)].join(',')
}

/** A box in coarse steps, so that small moves ask for nothing new. */
export function roundedBox({ west, south, east, north }: Bounds): string {
  const step = 0.01
  const down = (value: number) => (Math.floor(value / step) * step).toFixed(2)
  const up = (value: number) => (Math.ceil(value / step) * step).toFixed(2)
  return [down(west), down(south), up(east), up(north)].join(',')
}
