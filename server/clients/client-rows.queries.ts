import { sql } from 'kysely'
import type { Client, MapSummary } from '#domain/clients/client.schema.ts'
import type { Database, ReadDatabase, WriteTransaction } from '../database/database.ts'
import { countParcels } from '../thinning/read-totals.queries.ts'
import { noAttention, readAttention } from './attention.queries.ts'

export const clientColumns = [
  'clients.map_id',
  'name',
  'location',
  'list_order',
  'archived_at',
  'time_zone',
  'contact',
  'is_sample',
  'version',
  'maps.updated_at as last_updated',
] as const

export const hasThumbnail = sql<number>`case when thumbnail is null then 0 else 1 end`.as('has_thumbnail')

type ClientRow = {
  map_id: string
  name: string
  location: string
  has_thumbnail: number
  archived_at: number | null
  time_zone: string | null
  contact: string | null
  is_sample: number
  version: number
  last_updated: number
}

/** Serializes changes of the client and of its map as a whole. */
export async function lockMap({ dialect }: Database, transaction: WriteTransaction, mapId: string) {
  await dialect
    .lockForUpdate(transaction.selectFrom('maps').select('map_id').where('map_id', '=', mapId))
    .execute()
}

function rowOfClient(database: ReadDatabase, id: string) {
  return database
    .selectFrom('clients')
    .innerJoin('maps', 'maps.map_id', 'clients.map_id')
    .select([...clientColumns, hasThumbnail])
    .where('clients.map_id', '=', id)
}

export async function readAnyClient(database: ReadDatabase, id: string): Promise<Client | undefined> {
  const row = await rowOfClient(database, id).executeTakeFirst()
  return row && (await toClients(database, [row]))[0]
}

export async function readClientOfMap(
  database: ReadDatabase,
  mapId: string,
): Promise<MapSummary['client'] | undefined> {
  const row = await rowOfClient(database, mapId).where('archived_at', 'is', null).executeTakeFirst()
  return row && toClient(row, (await countParcels(database, [mapId])).get(mapId) ?? 0)
}

export type Association = { name: string; phone: string | null; email: string | null }

/** Its name and contact, for people without an account. */
export async function readAssociation(database: ReadDatabase, mapId: string): Promise<Association> {
  const client = await readClientOfMap(database, mapId)
  const { phone = null, email = null } = client?.contact ?? {}
  return { name: client?.name ?? mapId, phone, email }
}

export async function toClients(database: ReadDatabase, rows: readonly ClientRow[]): Promise<Client[]> {
  const mapIds = rows.map((row) => row.map_id)
  const parcelCounts = await countParcels(database, mapIds)
  const attention = await readAttention(database, mapIds)
  return rows.map((row) => ({
    ...toClient(row, parcelCounts.get(row.map_id) ?? 0),
    attention: attention.get(row.map_id) ?? noAttention(),
  }))
}

function toClient(row: ClientRow, properties: number): Omit<Client, 'attention'> {
  const { map_id: id, name, location, has_thumbnail, last_updated, archived_at, time_zone, version } = row
  const picture = `/api/clients/${id}/thumbnail`
  return {
    id,
    name,
    location,
    properties,
    lastUpdated: new Date(last_updated).toISOString(),
    thumbnail: has_thumbnail === 1 ? picture : properties > 0 ? `${picture}?land=${last_updated}` : null,
    archivedAt: archived_at === null ? null : new Date(archived_at).toISOString(),
    timeZone: time_zone,
    contact: row.contact === null ? null : JSON.parse(row.contact),
    isSample: row.is_sample === 1,
    version,
  }
}
