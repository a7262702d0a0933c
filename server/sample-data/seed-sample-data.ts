import { readdir, readFile } from 'node:fs/promises'
import type { Contact } from '#domain/clients/client.schema.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import {
  defaultMapConfiguration,
  type MapConfiguration,
  mapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { recordActivity } from '../activity/activity.queries.ts'
import { insertClient, insertMap } from '../clients/store-clients.queries.ts'
import type { Database } from '../database/database.ts'
import { createListedEntries } from '../features/maintenance/maintenance-entries.queries.ts'
import { toFeatureRow } from '../features/rows/feature-row.ts'
import { joinExtents } from '../geometry/extents.ts'
import { readOwnFile } from '../imports/read-own-file.ts'
import { insertConfiguration } from '../map-configuration/map-configuration.queries.ts'
import { insertFeatures } from '../thinning/write-features.queries.ts'
import { hasSampleData, lockSampleData } from './sample-data.queries.ts'

/** Runs once per database: returns false if sample data exist. Concurrent processes wait for each other. */
export async function seedSampleData(database: Database, now: Date): Promise<boolean> {
  if (await hasSampleData(database.read)) return false
  const at = now.getTime()
  const maps = (await readSampleMaps(now)).map((map) => ({
    ...map,
    rows: map.features.map((feature) => toFeatureRow(feature, { now: at })),
  }))
  return database.write(async (transaction) => {
    await lockSampleData(transaction, database.engine)
    if (await hasSampleData(transaction)) return false
    for (const { mapId, client, rows, configuration } of maps) {
      if (client) await insertClient(transaction, { ...client, isSample: true }, at)
      else await insertMap(transaction, mapId, at)
      await insertFeatures(transaction, database.engine, rows)
      await createListedEntries(transaction, rows)
      const first = { mapId, version: 1, configuration, appliedBy: null, restoredFrom: null }
      await insertConfiguration(transaction, first, at)
    }
    for (const { mapId, rows } of maps) {
      const details = { features: rows.length }
      await recordActivity(
        transaction,
        { mapId, action: 'sample.created', details, extent: joinExtents(rows) },
        at,
      )
    }
    return true
  })
}

type SampleMap = {
  mapId: string
  client: { id: string; name: string; location: string; thumbnail: string | null; contact?: Contact } | null
  features: NewFeature[]
  configuration: MapConfiguration
}

const folder = new URL('../../sample-data/', import.meta.url)

/** One GeoJSON file per map, named by its id. The same UTC day gives the same bytes. */
export async function readSampleMaps(now: Date): Promise<SampleMap[]> {
  const files = (await readdir(folder)).sort()
  const maps: SampleMap[] = []
  for (const file of files.filter((name) => name.endsWith('.geojson'))) {
    const mapId = file.replace('.geojson', '')
    const text = writeOutDates(await readFile(new URL(file, folder), 'utf8'), now)
    // RFC 7946 allows other members beside the features.
    const { client = null, configuration } = JSON.parse(text)
    const picture = `${mapId}.svg`
    const thumbnail = files.includes(picture) ? await readThumbnail(picture) : null
    maps.push({
      mapId,
      client: client && { id: mapId, ...client, thumbnail },
      features: await readOwnFile(file, text, mapId),
      configuration: mapConfiguration.parse({ ...defaultMapConfiguration, ...configuration }),
    })
  }
  return maps
}

const dayMs = 86_400_000

/** Replaces '5 days ago' and '5 days ago, 16:49 UTC', so that 'last week' is never empty. */
function writeOutDates(text: string, now: Date): string {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  return text.replace(/"(\d+) days? ago(?:, (\d\d:\d\d) UTC)?"/g, (_, days, time) => {
    const day = new Date(today - days * dayMs).toISOString().slice(0, 10)
    return time ? `"${day}T${time}:00.000Z"` : `"${day}"`
  })
}

async function readThumbnail(file: string): Promise<string> {
  const svg = await readFile(new URL(file, folder), 'utf8')
  return `data:image/svg+xml,${encodeURIComponent(svg.replaceAll('\n', ''))}`
}
