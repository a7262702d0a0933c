import Flatbush from 'flatbush'
import type { Box } from './segments.ts'

/** Fewer boxes are compared faster without an index. */
const indexedFrom = 40

/** Index pairs, the smaller first. */
export function* touchingPairs(boxes: readonly Box[]): Generator<[number, number]> {
  if (boxes.length < indexedFrom) {
    for (const [first, a] of boxes.entries()) {
      for (let second = first + 1; second < boxes.length; second++) {
        const b = boxes[second] as Box
        if (a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]) yield [first, second]
      }
    }
    return
  }
  const index = new Flatbush(boxes.length)
  for (const box of boxes) index.add(...box)
  index.finish()
  for (const [first, box] of boxes.entries()) {
    for (const second of index.search(...box, (other) => other > first)) yield [first, second]
  }
}
