import type { Position } from 'geojson'
import { clipPolygon } from 'lineclip'

// GeoJSON keeps longitudes between -180 and 180 (RFC 7946, section 3.1.9): shapes are cut at the date line.

/** World copies that these longitudes reach; 0 is the one from -180 to 180. */
export function worldsOf(path: readonly Position[]): number[] {
  const lngs = path.map(([lng = 0]) => lng)
  const least = lngs.reduce((a, b) => Math.min(a, b))
  const most = lngs.reduce((a, b) => Math.max(a, b))
  // Shapes that end on the line do not reach beyond it.
  const first = Math.floor((least + 180) / 360)
  const last = Math.max(first, Math.ceil((most + 180) / 360) - 1)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** West, south, east, north. */
export function boxOfWorld(world: number): [number, number, number, number] {
  return [world * 360 - 180, -90, world * 360 + 180, 90]
}

export function withinWorld(path: readonly Position[], world: number): Position[] {
  return path.map(([lng = 0, lat = 0]) => [Math.max(-180, Math.min(180, lng - world * 360)), lat])
}

/**
 * Cuts a polygon whose rings jump at the date line into pieces that do not. Only for drawing: along the line
 * edges may overlap.
 */
export function withoutLeaps(polygon: readonly Position[][]): Position[][][] {
  const [outer = [], ...holes] = polygon.map(unwrapRing)
  const lngs = outer.map(([lng = 0]) => lng)
  const least = lngs.reduce((a, b) => Math.min(a, b))
  // The outer ring may continue where a hole has not crossed the line.
  const around = holes.map((hole) => {
    const turns = Math.ceil((least - (hole[0]?.[0] ?? least)) / 360)
    return hole.map(([lng = 0, lat = 0]): Position => [lng + turns * 360, lat])
  })
  return worldsOf(outer).map((world) =>
    [outer, ...around]
      .map((ring) => clipPolygon(ring as [number, number][], boxOfWorld(world)))
      .filter((ring) => ring.length >= 3)
      .map((ring) => withinWorld([...ring, ring[0] as Position], world)),
  )
}

/**
 * Longitudes continue beyond 180 instead of jumping to -180. Unlike in imports, an edge of 360 degrees crosses
 * the date line: coasts do not follow the edge of the map.
 */
function unwrapRing(ring: readonly Position[]): Position[] {
  let turns = 0
  const path = ring.map(([lng = 0, lat = 0], index): Position => {
    const step = lng - (ring[index - 1]?.[0] ?? lng)
    if (Math.abs(step) > 180) turns -= Math.sign(step)
    return [lng + turns * 360, lat]
  })
  // Closes rings around a pole over the pole.
  const [from, to] = [path[0]?.[0] ?? 0, path.at(-1)?.[0] ?? 0]
  const pole = (path[0]?.[1] ?? 0) < 0 ? -90 : 90
  return turns === 0 ? path : [...path, [to, pole], [from, pole]]
}
