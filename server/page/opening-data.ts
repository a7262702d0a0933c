import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { type OpeningData, openingData } from '#domain/opening/opening.schema.ts'
import { mapOfPath } from '#domain/opening/opening-page.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Configuration } from '../configuration.ts'
import type { Database } from '../database/database.ts'
import { NotFoundError } from '../domain-error.ts'
import { readConfigurationOfMap } from '../map-configuration/map-configuration.queries.ts'
import { readDefaultMapId, readMapSummary, requireOpenMap } from '../maps/maps.queries.ts'

/** What the page at this path asks first; undefined for screens without a map. Throws where the database is away. */
export async function readOpeningData(
  database: Database,
  configuration: Configuration,
  path: string,
): Promise<OpeningData | undefined> {
  const shown = mapOfPath(path)
  if (!shown) return undefined
  const { tileServices } = configuration
  const settings = {
    defaultMapId: await readDefaultMapId(database, configuration.defaultMapId),
    tileServices,
  }
  const id = shown.mapId ?? (shown.isViewer ? sampleMapId : settings.defaultMapId)
  const map = mapId.safeParse(id).success ? await readMap(database, id as string) : null
  return openingData.parse({ settings, map })
}

/** Null where there is no such map. */
async function readMap(database: Database, id: string): Promise<OpeningData['map']> {
  try {
    await requireOpenMap(database, id)
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
  const [summary, configuration] = await Promise.all([
    readMapSummary(database, id),
    readConfigurationOfMap(database, id),
  ])
  return { summary, configuration }
}
