declare module 'polylabel' {
  /** The pole of inaccessibility of a polygon, [x, y], and its `distance` to the nearest edge. */
  export default function polylabel(
    polygon: number[][][],
    precision?: number,
  ): number[] & { distance: number }
}
declare module 'lineclip' {
  type Box = [west: number, south: number, east: number, north: number]
  /** Pieces of a line inside a box. */
  export function clipPolyline(points: number[][], box: Box): number[][][]
  /** The part of a ring inside a box (Sutherland-Hodgman). */
  export function clipPolygon(points: number[][], box: Box): number[][]
}
