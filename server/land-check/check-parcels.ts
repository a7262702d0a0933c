import { setImmediate } from 'node:timers/promises'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import { boxOf, findLandProblems } from '#domain/land-check/find-land-problems.ts'
import {
  type LandCheckAnswer,
  maxCheckedParcels,
  maxListedProblems,
} from '#domain/land-check/land-check.schema.ts'
import type { ProblemClass } from '#domain/land-check/land-problem.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { Database } from '../database/database.ts'
import type { DatabaseLocation } from '../database/open-database.ts'
import { readParcels } from './land-checks.queries.ts'

export type LandCheckOrder = { location: DatabaseLocation; mapId: string }

/** `versions` are those of `ids`. */
type StoredProblem = Omit<LandCheckAnswer['problems'][number], 'isCurrent'> & { versions: number[] }

/** In the row of the check, as JSON. */
export type LandCheckResult = Pick<LandCheckAnswer, 'parcels' | 'counts' | 'unchecked'> & {
  problems: StoredProblem[]
}

export type LandCheckOutcome = { result: LandCheckResult } | { failure: string }

/** A fifth of the progress. */
const readingShare = 0.2

export async function checkParcels(
  database: Pick<Database, 'read'>,
  mapId: string,
  onProgress: (share: number) => void,
): Promise<LandCheckOutcome> {
  const shapes: Shape[] = []
  const facts = new Map<string, { name: string; version: number }>()
  for await (const rows of readParcels(database, mapId)) {
    for (const { id, name, version, geometry } of rows) {
      shapes.push({ id, name, geometry: JSON.parse(geometry) })
      facts.set(id, { name, version })
    }
    if (shapes.length > maxCheckedParcels)
      return { failure: `A map with more than ${formatNumber(maxCheckedParcels)} parcels cannot be checked.` }
    onProgress((readingShare * shapes.length) / maxCheckedParcels)
  }
  const { problems, counts, unchecked } = await findLandProblems(shapes, {
    onProgress: (share) => onProgress(readingShare + (1 - readingShare) * share),
    // Messages are sent between steps.
    pause: () => setImmediate(),
  })
  const listed = new Map<ProblemClass, number>()
  const isListed = (name: ProblemClass) => {
    listed.set(name, (listed.get(name) ?? 0) + 1)
    return (listed.get(name) ?? 0) <= maxListedProblems
  }
  const namesOf = (ids: readonly string[]) => ids.map((id) => facts.get(id)?.name ?? '')
  return {
    result: {
      parcels: shapes.length,
      counts,
      problems: problems
        .filter((problem) => isListed(problem.class))
        .map(({ class: name, key, ids, size, geometry, place }) => ({
          class: name,
          key,
          ids,
          names: namesOf(ids),
          versions: ids.map((id) => facts.get(id)?.version ?? 0),
          box: [...boxOf(geometry ?? { type: 'Point', coordinates: place })],
          size,
        })),
      unchecked: unchecked
        .slice(0, maxListedProblems)
        .map(({ ids, reason }) => ({ names: namesOf(ids), reason })),
    },
  }
}
