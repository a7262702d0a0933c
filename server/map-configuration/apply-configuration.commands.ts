import type { Person } from '#domain/access/session.schema.ts'
import { configurationChanges } from '#domain/map-configuration/configuration-changes.ts'
import {
  type MapConfiguration,
  maxPublicMetadata,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { recordActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { type Expectation, expectVersion, RefusedError } from '../domain-error.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import {
  type AppliedConfiguration,
  insertConfiguration,
  readConfigurationVersion,
  readNewestConfiguration,
} from './map-configuration.queries.ts'

type Actor = Pick<Person, 'id' | 'name' | 'tokenId'>
type Request = { mapId: string; person: Actor; isExpected: Expectation }

export function applyConfiguration(
  database: Database,
  request: Request,
  configuration: MapConfiguration,
): Promise<AppliedConfiguration> {
  return database.write(async (transaction) => {
    const current = await lockConfiguration(database, transaction, request)
    return saveConfiguration(transaction, request, current, configuration, null)
  })
}

export function removeConfiguration(database: Database, request: Request): Promise<AppliedConfiguration> {
  return database.write(async (transaction) => {
    const current = await lockConfiguration(database, transaction, request)
    return saveConfiguration(transaction, request, current, null, null)
  })
}

export function restoreConfiguration(
  database: Database,
  request: Request,
  version: number,
): Promise<AppliedConfiguration> {
  return database.write(async (transaction) => {
    const current = await lockConfiguration(database, transaction, request)
    const earlier = await readConfigurationVersion(transaction, request.mapId, version)
    if (!earlier) throw new RefusedError('version', `map ${request.mapId} has no version ${version}`)
    if (!earlier.isReadable) throw new RefusedError('version', `version ${version} cannot be read`)
    return saveConfiguration(transaction, request, current, earlier.configuration, version)
  })
}

/** Changes nothing if no configuration is applied or the names would exceed the limit. */
export async function publishMetadata(
  transaction: WriteTransaction,
  request: Pick<Request, 'mapId' | 'person'>,
  names: readonly string[],
): Promise<void> {
  const current = await readNewestConfiguration(transaction, request.mapId)
  if (!current.isApplied) return
  const { configuration } = current
  const publicMetadata = [...new Set([...configuration.publicMetadata, ...names])]
  if (publicMetadata.length > maxPublicMetadata) return
  await saveConfiguration(transaction, request, current, { ...configuration, publicMetadata }, null)
}

async function lockConfiguration(
  database: Database,
  transaction: WriteTransaction,
  { mapId, isExpected }: Request,
): Promise<AppliedConfiguration> {
  await lockOpenMap(database, transaction, mapId)
  const current = await readNewestConfiguration(transaction, mapId)
  expectVersion(isExpected, current.version, `The configuration of map ${mapId}`)
  return current
}

async function saveConfiguration(
  transaction: WriteTransaction,
  { mapId, person }: Pick<Request, 'mapId' | 'person'>,
  current: AppliedConfiguration,
  configuration: MapConfiguration | null,
  restoredFrom: number | null,
): Promise<AppliedConfiguration> {
  const changes = configuration ? configurationChanges(current.configuration, configuration) : []
  // Applying the proposed configuration is a change: it no longer follows new proposals.
  const isSame = configuration ? current.isApplied && changes.length === 0 : !current.isApplied
  if (isSame && current.isReadable) return current
  const version = current.version + 1
  const now = Date.now()
  const row = { mapId, version, configuration, appliedBy: person.name, restoredFrom }
  await insertConfiguration(transaction, row, now)
  const fields = changes.map(({ field }) => field)
  const activity = {
    mapId,
    action: actionOf(configuration, restoredFrom),
    actor: person,
    details: { version, fields, ...(restoredFrom === null ? {} : { restoredFrom }) },
  } as const
  await recordActivity(transaction, activity, now)
  return readNewestConfiguration(transaction, mapId)
}

function actionOf(configuration: MapConfiguration | null, restoredFrom: number | null) {
  if (!configuration) return 'configuration.removed'
  return restoredFrom === null ? 'configuration.applied' : 'configuration.restored'
}
