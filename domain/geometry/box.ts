// Boxes in degrees. If west is greater than east, the box crosses the date line (RFC 7946, section 5.2).

export type Box = { west: number; south: number; east: number; north: number }

/** Extends east beyond 180 degrees instead of crossing the date line. */
export function unwrapped<Some extends Box>(box: Some): Some {
  return box.west <= box.east ? box : { ...box, east: box.east + 360 }
}

export function partsOfBox<Some extends Box>(box: Some): Some[] {
  return box.west <= box.east
    ? [box]
    : [
        { ...box, east: 180 },
        { ...box, west: -180 },
      ]
}

export function wrapped<Some extends Box>(box: Some): Some {
  if (box.east - box.west >= 360) return { ...box, west: -180, east: 180 }
  const turns = Math.floor((box.west + 180) / 360) * 360
  const [west, east] = [box.west - turns, box.east - turns]
  return { ...box, west, east: east > 180 ? east - 360 : east }
}

export function middleLng(box: Box): number {
  const { west, east } = unwrapped(box)
  const middle = (west + east) / 2
  return middle > 180 ? middle - 360 : middle
}

/** The narrowest box; null without boxes. */
export function boxAround(boxes: readonly Box[]): Box | null {
  const [first] = boxes
  if (!first) return null
  const [south, north] = [
    Math.min(...boxes.map((box) => box.south)),
    Math.max(...boxes.map((box) => box.north)),
  ]
  const sorted = boxes.toSorted((one, other) => one.west - other.west)
  // The widest gap stays outside. Starts with the gap across the date line.
  let east = first.east
  for (const box of sorted) east = Math.max(east, box.east)
  const [leftmost = first] = sorted
  let best = { west: leftmost.west, east, gap: leftmost.west + 360 - east }
  let reached = leftmost.east
  for (const box of sorted) {
    if (box.west - reached > best.gap) best = { west: box.west, east: reached, gap: box.west - reached }
    reached = Math.max(reached, box.east)
  }
  return { west: best.west, south, east: best.east, north }
}

const stripDegrees = 5

/** Adds boxes one by one, keeping one per strip of longitudes. */
export class GatheredBoxes {
  private readonly strips = new Map<number, Box>()

  add({ west, south, east, north }: Box) {
    const strip = Math.floor(west / stripDegrees)
    const box = this.strips.get(strip) ?? { west, south, east, north }
    this.strips.set(strip, {
      west: Math.min(box.west, west),
      south: Math.min(box.south, south),
      east: Math.max(box.east, east),
      north: Math.max(box.north, north),
    })
  }

  around(): Box | null {
    return boxAround([...this.strips.values()])
  }
}
