import { sql } from 'kysely'
import type { WriteTransaction } from '../database.ts'
import type { Migration } from './migration.ts'

/**
 * The public sees only metadata named in the map's configuration; owner, tax and reporter only if an applied
 * configuration names them. Earlier configurations name no metadata and stay unchanged, which hides
 * everything. Only the map `sample` publishes its metadata. Also stores the names in a map's metadata.
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
  // An unreadable configuration hides everything.
  if (!former) return
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
