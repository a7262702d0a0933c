import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import { type OpeningData, openingData } from '#domain/opening/opening.schema.ts'
import { mapOfPath, openingList, openingListLimit } from '#domain/opening/opening-page.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { NotFoundError } from '../domain-error.ts'
import { listFeatures } from '../features/lists/feature-list.queries.ts'
import { toListPage } from '../features/lists/list-page.ts'
import { readConfigurationOfMap } from '../map-configuration/map-configuration.queries.ts'
import { readDefaultMapId, readMapSummary, requireOpenMap } from '../maps/maps.queries.ts'
import type { Configuration } from '../settings/configuration.ts'

type PageRequest = {
  path: string
  hasSearch: boolean
  hasSession: boolean
}

/** Undefined for screens without a map. Throws if the database is unreachable. */
export async function readOpeningData(
  database: Database,
  configuration: Configuration,
  { path, hasSearch, hasSession }: PageRequest,
): Promise<OpeningData | undefined> {
  const shown = mapOfPath(path)
  if (!shown) return undefined
  const { tileServices } = configuration
  const settings = {
    defaultMapId: await readDefaultMapId(database, configuration.defaultMapId),
    sendsMail: configuration.mailServer !== null,
    tileServices,
  }
  const id = shown.mapId ?? (shown.isViewer ? sampleMapId : settings.defaultMapId)
  const list = hasSearch || hasSession ? null : openingList(shown.isViewer)
  const map = mapId.safeParse(id).success ? await readMap(database, id as string, list) : null
  return openingData.parse({ settings, map })
}

type List = ReturnType<typeof openingList>

async function readMap(database: Database, id: string, request: List | null): Promise<OpeningData['map']> {
  try {
    await requireOpenMap(database, id)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
  const [summary, configuration, list] = await Promise.all([
    readMapSummary(database, id),
    readConfigurationOfMap(database, id),
    request && readFirstList(database, id, request),
  ])
  return { summary, configuration, list }
}

async function readFirstList(database: Database, mapId: string, { kind, shape }: List) {
  const client = { mapId, signal: new AbortController().signal }
  const request = { ...(kind && { kind: [kind] }), ...(shape && { shape: [shape] }) }
  const part = { limit: openingListLimit, after: undefined }
  const asEverybody = { fields: [], customFields: noCustomFields, seesPersonalData: false, isStaff: false }
  return toListPage(await listFeatures(database, client, request, part, asEverybody))
}
