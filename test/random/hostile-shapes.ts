import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'

// Valid and almost valid shapes that are the most expensive for their number of corners.

type Polygon = Extract<Geometry, { type: 'Polygon' }>

const polygon = (corners: Position[], holes: Position[][] = []): Polygon => ({
  type: 'Polygon',
  coordinates: [corners, ...holes].map((ring) => [...ring, ring[0] as Position]),
})

const [west, south, side] = [-111.1, 34.02, 0.04]

/** Upright teeth. The turned comb crosses each tooth of the other. */
export function comb(teeth: number, isTurned = false): Polygon {
  const corners: Position[] = [[west, south - 0.001]]
  for (let tooth = 0; tooth < teeth; tooth++) {
    const [left, right] = [west + (side * tooth) / teeth, west + (side * (tooth + 0.5)) / teeth]
    corners.push([left, south], [left, south + side], [right, south + side], [right, south])
  }
  corners.push([west + side, south - 0.001])
  return polygon(
    isTurned ? corners.map(([x, y]): Position => [west + y - south, south + x - west]).reverse() : corners,
  )
}

/** Diagonal teeth: the boxes of all edges overlap, but no edges cross. */
export function slantedComb(corners: number): Polygon {
  const teeth = Array.from({ length: corners - 2 }, (_, at): Position => {
    const [x, y] = [west + at * 1e-5, south - at * 1e-5]
    return at % 2 === 0 ? [x, y] : [x + 0.5, y + 0.5]
  })
  return polygon([...teeth, [west + corners * 1e-5, south - corners * 1e-5 - 1], [west - 1, south - 1]])
}

/** Parallel diagonal holes whose boxes all overlap. */
export function slantedHoles(count: number): Polygon {
  const outer: Position[] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ]
  const holes = Array.from({ length: count }, (_, at): Position[] => {
    const [offset, width] = [(at * 0.4) / count, 0.1 / count]
    return [
      [0.05 + offset, 0.45 - offset],
      [0.05 + offset + width, 0.45 - offset],
      [0.5 + offset + width, 0.9 - offset],
      [0.5 + offset, 0.9 - offset],
    ]
  })
  return polygon(outer, holes)
}

/** A boomerang whose center of mass is outside; `ratio` is width to height. */
export function flatBoomerang(ratio: number): Polygon {
  return polygon([
    [0, 34 + 1 / ratio],
    [0.5, 34],
    [1, 34 + 1 / ratio],
    [0.5, 34 + 0.2 / ratio],
  ])
}
