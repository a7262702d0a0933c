import type { Locator } from '@playwright/test'

/** A phone on its side; what is left of 1280 x 800 where everything is twice as large. */
export const lowScreens = [
  { width: 740, height: 360 },
  { width: 640, height: 400 },
]

/** How many of the rows are seen from top to bottom. */
export async function rowsInFull(frame: Locator, rows: Locator): Promise<number> {
  const list = await frame.boundingBox()
  const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()))
  const { height = 0 } = frame.page().viewportSize() ?? {}
  return boxes.filter(
    (box) => list && box && box.y >= list.y && box.y + box.height <= Math.min(list.y + list.height, height),
  ).length
}
