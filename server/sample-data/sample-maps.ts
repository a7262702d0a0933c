import { readdir, readFile } from 'node:fs/promises'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import {
  defaultMapConfiguration,
  type MapConfiguration,
  mapConfiguration,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { readOwnFile } from '../imports/read-own-file.ts'

export type SampleMap = {
  mapId: string
  client: { id: string; name: string; location: string; thumbnail: string | null } | null
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
