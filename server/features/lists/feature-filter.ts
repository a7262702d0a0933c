import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { featureShapes } from '#domain/definition/kinds.ts'
import { dueWords } from '#domain/maintenance/due.ts'
import { featureId } from '#domain/values/common.schema.ts'
import type { WordSight } from '#domain/values/text.ts'
import type { Condition } from '../../database/database.ts'
import { requireAccess } from '../../http/access.ts'
import { boxQuery, listOf, mapFilter, searchText } from '../../http/page-parameters.ts'
import { type Sight, seesPersonalData } from '../rows/sight.ts'

export const featureFilter = {
  ...mapFilter,
  shape: listOf(featureShapes),
  bbox: boxQuery.optional(),
  at: featureId.optional().meta({
    description: 'Features at the location of this feature, too close to be distinguished at any zoom',
  }),
  due: listOf(dueWords).meta({
    description:
      'Assets with maintenance due within 30 days, including today, or overdue. The date is in UTC. ' +
      'For staff of the map.',
  }),
  text: searchText.meta({
    description:
      'Features that have words starting with each of these words. Ignores case, accents, and punctuation. Uses ' +
      'the eight longest words. Fields that you cannot see are not searched.',
  }),
}
export type FeatureFilter = z.infer<z.ZodObject<typeof featureFilter>> & {
  /** The words that the text is searched in. Set from the user's rights, never from the query string. */
  wordSight?: WordSight
  /** Only general features, or only others; undefined for both. */
  isGeneral?: boolean
  condition?: Condition
  /** The condition selects few features by an index; they are sorted afterwards. */
  isLedByIndex?: boolean
}

/** Due maintenance is for staff only: throws a 401 or 403 if another caller filters by it. */
export async function requireSight(
  request: FastifyRequest,
  { due }: Pick<FeatureFilter, 'due'>,
  mapId: string,
) {
  if (due && due.length > 0) await requireAccess(request, 'staff', mapId)
}

export function filterInSight(filter: FeatureFilter, sight: Sight): FeatureFilter {
  if (!filter.text?.trim() || !seesPersonalData(sight)) return filter
  return { ...filter, wordSight: sight === 'everything' ? 'staff' : 'personal' }
}
