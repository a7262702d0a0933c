import { type Box, wrapped } from '#domain/geometry/box.ts'

// The map repeats the world side by side: in a box across the date line, west is greater than east.

export function exactBox(seen: Box): string {
  const { west, south, east, north } = withinWorld(seen)
  return [west, south, east, north].map((value) => value.toFixed(5)).join(',')
}

/** Rounded, so that small moves of the map repeat the same query. */
export function roundedBox({ west, south, east, north }: Box, step = 0.01): string {
  const down = (value: number) => Math.floor(value / step) * step
  const up = (value: number) => Math.ceil(value / step) * step
  const box = withinWorld({ west: down(west), south: down(south), east: up(east), north: up(north) })
  return [box.west, box.south, box.east, box.north]
    .map((value) => value.toFixed(step < 0.01 ? 3 : 2))
    .join(',')
}

function withinWorld(box: Box): Box {
  const within = (lat: number) => Math.max(-90, Math.min(90, lat))
  return wrapped({ ...box, south: within(box.south), north: within(box.north) })
}
