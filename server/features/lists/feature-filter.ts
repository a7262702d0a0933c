import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { featureShapes } from '#domain/definition/kinds.ts'
import { dueWords } from '#domain/maintenance/due.ts'
import { featureId } from '#domain/values/common.schema.ts'
import type { WordSight } from '#domain/values/text.ts'
import type { Condition, Database } from '../../database/database.ts'
import { requireAccess } from '../../http/access.ts'
import { boxQuery, listOf, mapFilter, searchText } from '../../http/page-parameters.ts'
import { readToday } from '../../maps/time-zone.queries.ts'
import { hasFeature } from '../rows/feature-rows.queries.ts'
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
      'Assets with maintenance due within 30 days, including today, or overdue. Today is the day in the time zone of the ' +
      'map. For staff of the map.',
  }),
  text: searchText.meta({
    description:
      'Features that have words starting with each of these words. Ignores case, accents, and punctuation. Uses ' +
      'the eight longest words. Fields that you cannot see are not searched. Also the feature whose id is the whole text.',
  }),
}
export type FeatureFilter = z.infer<z.ZodObject<typeof featureFilter>> & {
  /** The words that the text is searched in. Set from the user's rights, never from the query string. */
  wordSight?: WordSight
  /** The feature whose id is the text. */
  namedId?: string
  /** Only general features, or only others; undefined for both. */
  isGeneral?: boolean
  condition?: Condition
  /** In the time zone of the map; set if the filter has `due`. */
  today?: string
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

type Seen = { mapId: string; sight: Sight }

/** With the values that depend on the caller and the map. */
export async function completeFilter(
  database: Database,
  { mapId, sight }: Seen,
  filter: FeatureFilter,
): Promise<FeatureFilter> {
  const isSearched = filter.text?.trim() && seesPersonalData(sight)
  const id = featureId.safeParse(filter.text?.trim()).data
  const isNamed = id !== undefined && (await hasFeature(database, mapId, id))
  return {
    ...filter,
    ...(isNamed ? { namedId: id } : {}),
    ...(isSearched ? { wordSight: sight === 'everything' ? 'staff' : 'personal' } : {}),
    ...(filter.due?.length ? { today: await readToday(database, mapId) } : {}),
  }
}
