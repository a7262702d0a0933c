import type { Person } from '#domain/access/session.schema.ts'
import { configurationChanges } from '#domain/map-configuration/configuration-changes.ts'
import {
  type MapConfiguration,
  mostPublicMetadata,
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
    const present = await lockConfiguration(database, transaction, request)
    return saveConfiguration(transaction, request, present, configuration, null)
  })
}

export function removeConfiguration(database: Database, request: Request): Promise<AppliedConfiguration> {
  return database.write(async (transaction) => {
    const present = await lockConfiguration(database, transaction, request)
    return saveConfiguration(transaction, request, present, null, null)
  })
}

export function restoreConfiguration(
  database: Database,
  request: Request,
  version: number,
): Promise<AppliedConfiguration> {
  return database.write(async (transaction) => {
    const present = await lockConfiguration(database, transaction, request)
    const former = await readConfigurationVersion(transaction, request.mapId, version)
    if (!former) throw new RefusedError('version', `map ${request.mapId} has no version ${version}`)
    if (!former.isReadable) throw new RefusedError('version', `version ${version} cannot be read`)
    return saveConfiguration(transaction, request, present, former.configuration, version)
  })
}

/** Changes nothing if no configuration is applied or the names would exceed the limit. */
export async function publishMetadata(
  transaction: WriteTransaction,
  request: Pick<Request, 'mapId' | 'person'>,
  names: readonly string[],
): Promise<void> {
  const present = await readNewestConfiguration(transaction, request.mapId)
  if (!present.isApplied) return
  const { configuration } = present
  const publicMetadata = [...new Set([...configuration.publicMetadata, ...names])]
  if (publicMetadata.length > mostPublicMetadata) return
  await saveConfiguration(transaction, request, present, { ...configuration, publicMetadata }, null)
}

async function lockConfiguration(
  database: Database,
  transaction: WriteTransaction,
  { mapId, isExpected }: Request,
): Promise<AppliedConfiguration> {
  await lockOpenMap(database, transaction, mapId)
  const present = await readNewestConfiguration(transaction, mapId)
  expectVersion(isExpected, present.version, `The configuration of map ${mapId}`)
  return present
}

async function saveConfiguration(
  transaction: WriteTransaction,
  { mapId, person }: Pick<Request, 'mapId' | 'person'>,
  present: AppliedConfiguration,
  configuration: MapConfiguration | null,
  restoredFrom: number | null,
): Promise<AppliedConfiguration> {
  const changes = configuration ? configurationChanges(present.configuration, configuration) : []
  // Applying the proposed configuration is a change: it no longer follows new proposals.
  const isSame = configuration ? present.isApplied && changes.length === 0 : !present.isApplied
  if (isSame && present.isReadable) return present
  const version = present.version + 1
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
