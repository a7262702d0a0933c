import type { PhotoArea } from '#domain/files/file.schema.ts'

/** In parts of the width and height of the photo, from the top left. */
export type Point = { x: number; y: number }

/** Smaller areas are slips of the finger. */
const minSize = 0.01
const step = 0.01

export const addedArea: PhotoArea = { x: 0.4, y: 0.4, width: 0.2, height: 0.2 }

const within = (value: number, max = 1) => Math.min(max, Math.max(0, value))

/** Null if it is too small. */
export function areaBetween(one: Point, other: Point): PhotoArea | null {
  const [left, right] = [within(Math.min(one.x, other.x)), within(Math.max(one.x, other.x))]
  const [top, bottom] = [within(Math.min(one.y, other.y)), within(Math.max(one.y, other.y))]
  const area = { x: left, y: top, width: right - left, height: bottom - top }
  return area.width < minSize || area.height < minSize ? null : area
}

type Key = { key: string; shiftKey: boolean }

/** Null if the key removes the area, undefined if it does nothing. */
export function areaByKey(area: PhotoArea, { key, shiftKey }: Key): PhotoArea | null | undefined {
  if (key === 'Delete' || key === 'Backspace') return null
  const move = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[
    key
  ]
  if (!move) return undefined
  const [dx = 0, dy = 0] = move
  const { x, y, width, height } = area
  if (!shiftKey) return { ...area, x: within(x + dx, 1 - width), y: within(y + dy, 1 - height) }
  return {
    ...area,
    width: Math.max(minSize, within(width + dx, 1 - x)),
    height: Math.max(minSize, within(height + dy, 1 - y)),
  }
}
