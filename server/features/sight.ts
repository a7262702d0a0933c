import type { FastifyRequest } from 'fastify'
import { type OwnFields, openOwnFields } from '#domain/features/own-fields.ts'
import type { MapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import type { Database } from '../database/database.ts'
import { mayRequest, requireAccess } from '../http/access.ts'
import { readConfigurationOfMap } from '../map-configuration/map-configuration.queries.ts'
import type { FeatureFilter } from './feature-filter.ts'
import type { FieldSight } from './stored-fields.ts'

/** What somebody may see of a feature: staff everything, others what the map's configuration says. */
export type Sight = 'everything' | Pick<MapConfiguration, 'showPersonalData' | 'publicMetadata'>

export async function sightOf(request: FastifyRequest, database: Database, mapId: string): Promise<Sight> {
  if (await mayRequest(request, 'staff', mapId)) return 'everything'
  return (await readConfigurationOfMap(database, mapId)).configuration
}

const seesPersonalData = (sight: Sight) => sight === 'everything' || sight.showPersonalData

export const fieldSightOf = (sight: Sight): FieldSight => ({
  seesPersonalData: seesPersonalData(sight),
  isStaff: sight === 'everything',
})

export const seenOwnFields = (ownFields: OwnFields, sight: Sight): OwnFields =>
  sight === 'everything' ? ownFields : openOwnFields(ownFields)

/** What is due is known to staff alone: throws a 401 or 403 where anybody else asks for it. */
export async function requireSight(
  request: FastifyRequest,
  { due }: Pick<FeatureFilter, 'due'>,
  mapId: string,
) {
  if (due && due.length > 0) await requireAccess(request, 'staff', mapId)
}

/** Only a search has to know: every other query is answered from what everyone may see. */
export function filterInSight(filter: FeatureFilter, sight: Sight): FeatureFilter {
  if (!filter.text?.trim() || !seesPersonalData(sight)) return filter
  return { ...filter, wordSight: sight === 'everything' ? 'staff' : 'personal' }
}
