import { guidelineMaxPixels } from '#domain/map-configuration/map-constants.ts'

type Point = { x: number; y: number }

/** From the last point to the pointer; of a longer line only the part nearest to the pointer. Pixels. */
export function guidelineBetween(from: Point, pointer: Point): { from: Point; to: Point } {
  const [x, y] = [from.x - pointer.x, from.y - pointer.y]
  const share = Math.min(1, guidelineMaxPixels / Math.max(Math.hypot(x, y), 1))
  return { from: { x: pointer.x + x * share, y: pointer.y + y * share }, to: pointer }
}
