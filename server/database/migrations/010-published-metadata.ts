import { sql } from 'kysely'
import type { WriteTransaction } from '../database.ts'
import type { Migration } from './migration.ts'

/**
 * From here on the public sees of the metadata what a map's configuration publishes by name, and owner, tax and reporter
 * only where one that was applied says so. No configuration of before names any metadata, so none has to be changed:
 * what it leaves out is hidden. Only the map `sample`, whose metadata nobody has to hide, publishes what it came with.
 * Beside it stands what a map's metadata is called, once that has been counted.
 */
export const publishedMetadataMigration: Migration = {
  name: '010-published-metadata',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    await sql
      .raw(
        `create table metadata_names (
          map_id ${key} primary key references maps,
          counted_at_state text not null,
          names text not null
        )`,
      )
      .execute(transaction)
    await publishOfSample(transaction)
  },
}

const sampleMapId = 'sample'
const publicMetadata = ['customField1', 'notes', 'flag']

/** How the map opens where nothing was applied. */
const asItOpens = {
  center: { lat: 34.05, lng: -111.09 },
  startZoom: 14,
  defaultMapType: 'street',
  mapTypes: ['street', 'satellite', 'terrain'],
  mapBounds: null,
  showPersonalData: false,
  drawingTools: ['rectangle'],
}

async function publishOfSample(transaction: WriteTransaction) {
  const map = await transaction
    .selectFrom('maps')
    .select('map_id')
    .where('map_id', '=', sampleMapId)
    .executeTakeFirst()
  if (!map) return
  const newest = await transaction
    .selectFrom('map_configurations')
    .select(['version', 'configuration'])
    .where('map_id', '=', sampleMapId)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  const former = newest ? readObject(newest.configuration) : asItOpens
  // Whoever left what nobody can read has hidden all of it.
  if (!former) return
  // A configuration is never replaced: this is the next one.
  await sql`
    insert into map_configurations (map_id, version, configuration, applied_at, applied_by)
    values (${sampleMapId}, ${(newest?.version ?? 0) + 1}, ${JSON.stringify({ ...former, publicMetadata })},
      ${Date.now()}, null)`.execute(transaction)
}

function readObject(text: string): object | null {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null
  } catch {
    return null
  }
}
