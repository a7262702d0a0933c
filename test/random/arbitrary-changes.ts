import fc from 'fast-check'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { toFeatureRow } from '#server/features/rows/feature-row.ts'
import { anAsset, anIncident, aParcel, point, square } from '#test/databases/feature-builders.ts'

const seed = fc.integer({ min: 0, max: 100_000 })
const pick = fc.nat({ max: 10_000 })

export type Change =
  | { does: 'insert'; seeds: number[] }
  | { does: 'remove'; pick: number; count: number }
  | { does: 'import'; kind: FeatureKind; seeds: number[]; source: string }
  | { does: 'undo'; pick: number }
  | { does: 'edit' | 'replace' | 'rename'; pick: number; seed: number }

/** Mostly single changes; sometimes enough to rank the whole map again. */
const count = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 60 }) },
)

const seeds = count.chain((length) => fc.array(seed, { minLength: length, maxLength: length }))

export const arbitraryChange: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('insert' as const), seeds }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('remove' as const), pick, count }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('edit', 'replace', 'rename'), pick, seed }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('import' as const),
      kind: fc.constantFrom(...featureKinds),
      source: fc.constantFrom('a', 'b'),
      seeds,
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('undo' as const), pick }) },
)

/** The feature of a number. Places repeat so that many features share a cell. */
export function featureOf(mapId: string, id: string, number: number) {
  const digit = (base: number, of: number) => Math.floor(number / base) % of
  const geometry = geometryOfSeed(number)
  const builders: (() => NewFeature)[] = [
    () => anIncident({ mapId, id, geometry, ...incidentOf(digit(105, 4), digit(420, 3)) }),
    () => anAsset({ mapId, id, geometry, type: ([null, 'water', 'road'] as const)[digit(105, 3)] ?? null }),
    () => aParcel({ mapId, id, geometry }),
  ]
  const build = builders[digit(315, 3)] as () => NewFeature
  return toFeatureRow(build(), { now: 0 })
}

function incidentOf(day: number, type: number) {
  const date = day === 0 ? null : `2026-05-0${day}T0${day}:00:00.000Z`
  return { date, type: ([null, 'fire', 'flood'] as const)[type] ?? null }
}

export function geometryOfSeed(number: number): Geometry {
  const [step, steps] = [number % 7, Math.floor(number / 7) % 5]
  const away = (steps * 20) / 8 ** step
  const [lng, lat] = [-111 + away, 34 + away / 2]
  return Math.floor(number / 35) % 3 === 0 ? square(lng, lat, 0.001 * (1 + step)) : point(lng, lat)
}
