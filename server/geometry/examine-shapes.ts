import { type ExaminedShape, examineShape } from '#domain/features/change-feature.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { workOnShapes } from './shape-threads.ts'

const maxTextInMainThread = 2_000

/** The domain limits the steps of a check: only overloaded machines take this long. */
const maxMs = 9_000

/** Skips invalid geometries, which the check of the feature rejects. */
export async function examineShapes(
  mapId: string,
  shapes: readonly unknown[],
): Promise<(geometry: Geometry) => ExaminedShape> {
  const texts = [...new Set(shapes.flatMap((shape) => textOf(shape) ?? []))]
  if (texts.reduce((sum, { length }) => sum + length, 0) <= maxTextInMainThread) return examineShape
  const signal = new AbortController().signal
  const answers = await workOnShapes({ mapId, signal }, 'examine', texts, maxMs)
  const examined = new Map(texts.map((text, index) => [text, answers[index]]))
  return (geometry) => examined.get(textOf(geometry) ?? '') ?? examineShape(geometry)
}

function textOf(shape: unknown): string | undefined {
  if (typeof shape !== 'object' || shape === null) return undefined
  const { type, coordinates } = shape as Partial<Geometry>
  return JSON.stringify({ type, coordinates })
}
