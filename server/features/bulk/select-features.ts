import { z } from 'zod'
import { bulkOperation } from '#domain/features/bulk-change.schema.ts'
import type { Database } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { ProblemError } from '../../http/problem.ts'
import { completeFilter, type FeatureFilter, featureFilter } from '../lists/feature-filter.ts'
import { readSelectedByFilter, readSelectedByIds, type Selected } from './bulk-changes.queries.ts'

const { ids, except } = bulkOperation

/** Features that staff selected in the table: by their ids, or all that match a filter except some. */
export const selection = {
  ids,
  except,
  filter: z.strictObject(featureFilter).optional().meta({
    description: 'The same filter as for the list of features. Empty selects all features on the map',
  }),
}
type Selection = z.infer<z.ZodObject<typeof selection>>

/** Throws a 400 if the selection contradicts itself. */
export async function selectFeatures(
  database: Database,
  caller: QueueClient,
  { filter, ids, except = [] }: Selection,
): Promise<Selected> {
  if ((filter === undefined) === (ids === undefined))
    throw badBody('filter', 'or ids is required, but not both')
  if (ids && except.length > 0) throw badBody('except', 'requires a filter')
  if (ids) return readSelectedByIds(database, caller.mapId, ids)
  return readSelectedByFilter(
    database,
    caller,
    await completeFilter(database, { mapId: caller.mapId, sight: 'everything' }, filter as FeatureFilter),
    except,
  )
}

export const badBody = (name: string, message: string) =>
  new ProblemError(400, `${name}: ${message}`, [{ in: 'body', name, message }])
