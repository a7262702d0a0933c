declare module 'polylabel' {
  export default function polylabel(
    polygon: number[][][],
    precision?: number,
  ): number[] & { distance: number }
}
declare module 'lineclip' {
  type Box = [west: number, south: number, east: number, north: number]
  export function clipPolyline(points: number[][], box: Box): number[][][]
  /** Sutherland-Hodgman. */
  export function clipPolygon(points: number[][], box: Box): number[][]
}
