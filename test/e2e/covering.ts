import type { Locator, Page } from '@playwright/test'
import { MapCanvas } from './map-canvas.driver.ts'

type Box = { x: number; y: number; width: number; height: number }

/** Returns the parts on the map that cover each other or extend beyond the map. `more` adds locators by name. */
export async function coveringParts(page: Page, more: Record<string, Locator> = {}): Promise<string[]> {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const parts = {
    'base maps': page.getByRole('radiogroup', { name: 'Base map' }),
    'base map and legend': page.getByRole('button', { name: /^Base map/ }),
    'drawing tools': page.getByRole('button', { name: /^Drawing tools/ }),
    toolbar: page.getByRole('toolbar', { name: 'Drawing' }),
    drawings: page.getByRole('region', { name: 'Drawings', exact: true }),
    'zoom in': button('Zoom in'),
    'zoom out': button('Zoom out'),
    home: button('Zoom to all land'),
    legend: button('Legend'),
    scale: page.getByRole('img', { name: /^Scale/ }),
    credit: page.locator('.maplibregl-ctrl-attrib'),
    'no base map': page.locator('[role=status] > div', { hasText: 'No base map' }),
    ...more,
  }
  const shown: (Box & { name: string })[] = []
  for (const [name, part] of Object.entries(parts)) {
    const box = (await part.isVisible()) ? await part.boundingBox() : null
    if (box && box.width > 0 && box.height > 0) shown.push({ name, ...box })
  }
  const map = await new MapCanvas(page).box()
  const cutOff = shown.filter((box) => !isWithin(box, map)).map(({ name }) => `${name} is cut off`)
  const covering = shown.flatMap((one, index) =>
    shown
      .slice(index + 1)
      .filter((other) => overlap(one, other))
      .map((other) => `${one.name} and ${other.name}`),
  )
  return [...cutOff, ...covering]
}

export async function rowsInFull(frame: Locator, rows: Locator): Promise<number> {
  const list = await frame.boundingBox()
  const boxes = await Promise.all((await rows.all()).map((row) => row.boundingBox()))
  const { height = 0 } = frame.page().viewportSize() ?? {}
  return boxes.filter(
    (box) => list && box && box.y >= list.y && box.y + box.height <= Math.min(list.y + list.height, height),
  ).length
}

/** Ignores rounding of a pixel. */
export const overlap = (one: Box, other: Box) =>
  one.x + 1 < other.x + other.width &&
  other.x + 1 < one.x + one.width &&
  one.y + 1 < other.y + other.height &&
  other.y + 1 < one.y + one.height

const isWithin = (inner: Box, outer: Box) =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1
