import type { FastifyRequest } from 'fastify'
import { type CustomFields, openCustomFields } from '#domain/features/custom-fields.ts'
import type { MapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import type { Database } from '../../database/database.ts'
import { mayRequest, requireAccess } from '../../http/access.ts'
import { badParameter } from '../../http/problem.ts'
import { readConfigurationOfMap } from '../../map-configuration/map-configuration.queries.ts'
import type { FieldSight } from './stored-fields.ts'

export type Sight = 'everything' | Pick<MapConfiguration, 'showPersonalData' | 'publicMetadata'>

export async function sightOf(request: FastifyRequest, database: Database, mapId: string): Promise<Sight> {
  if (await mayRequest(request, 'staff', mapId)) return 'everything'
  return (await readConfigurationOfMap(database, mapId)).configuration
}

export const seesPersonalData = (sight: Sight) => sight === 'everything' || sight.showPersonalData

export const fieldSightOf = (sight: Sight): FieldSight => ({
  seesPersonalData: seesPersonalData(sight),
  isStaff: sight === 'everything',
})

export const seenCustomFields = (customFields: CustomFields, sight: Sight): CustomFields =>
  sight === 'everything' ? customFields : openCustomFields(customFields)

/** `refuseHidden` throws the 401 or 403 for values that the caller may not see. Staff see everything. */
export type Viewer = { mapId: string; sight: Sight; refuseHidden?(what: string): Promise<unknown> }

export async function viewerOf(request: FastifyRequest, database: Database, mapId: string): Promise<Viewer> {
  const sight = await sightOf(request, database, mapId)
  return { mapId, sight, refuseHidden: (what) => requireAccess(request, 'staff', mapId, what) }
}

type RequiredColumns = {
  parameter: 'columns' | 'fields'
  names: readonly string[]
  namesFor(sight: Sight): ReadonlySet<string>
}

/**
 * Throws a 401 or 403 if the caller may not see a named column, a 400 if it does not exist. Custom fields that visitors
 * cannot see are indistinguishable from missing ones.
 */
export async function requireColumns(
  { sight, refuseHidden }: Omit<Viewer, 'mapId'>,
  { parameter, names, namesFor }: RequiredColumns,
) {
  const seen = namesFor(sight)
  const missing = names.find((name) => !seen.has(name))
  if (missing === undefined) return
  const isHidden = missing.startsWith('own.') || namesFor('everything').has(missing)
  if (sight !== 'everything' && isHidden)
    await refuseHidden?.(`The column ‘${missing}’ is only for staff of the map.`)
  throw badParameter('query', parameter, `has an unknown field: ‘${missing}’`)
}
