import { type SqlBool, sql } from 'kysely'
import type { Client, ClientTotals } from '#domain/clients/client.schema.ts'
import type { ClientSort } from '#domain/clients/client-sort.ts'
import { foldText } from '#domain/values/text.ts'
import type { Database, ReadDatabase } from '../database/database.ts'
import { countParcels, parcelsByMap } from '../thinning/read-totals.queries.ts'
import { addAttention, noAttention, openIncidentsByMap, readAttention } from './attention.queries.ts'
import { clientColumns, hasThumbnail, readAnyClient, toClients } from './client-rows.queries.ts'

export type ClientFilter = {
  text: string | undefined
  state: 'open' | 'archived'
  /** Undefined for all. */
  mapIds: readonly string[] | undefined
  signal: AbortSignal
}

const nothing = sql<SqlBool>`1 = 0`

type Page = { sort: ClientSort; limit: number; offset: number; hasTotals: boolean }
type ClientList = { items: Client[]; total: number; isFollowed: boolean; totals?: ClientTotals }

/** Searches for clients share one place in the fair queue. */
const mapOfClients = ''

/** Pages by name are read directly, everything that reads all clients in a worker. */
export function listClients(database: Database, filter: ClientFilter, page: Page): Promise<ClientList> {
  if (!filter.text?.trim() && page.sort === 'name' && !page.hasTotals)
    return readList(database.read, filter, page)
  const { signal } = filter
  return database.readInWorker({ mapId: mapOfClients, signal }, (read) => readList(read, filter, page))
}

async function readList(
  read: ReadDatabase,
  { text, state, mapIds }: ClientFilter,
  { sort, limit, offset, hasTotals }: Page,
): Promise<ClientList> {
  const sought = foldText(text ?? '')
  let matching = read.selectFrom('clients').where('archived_at', state === 'open' ? 'is' : 'is not', null)
  if (sought !== '') matching = matching.where('search_text', 'like', `%${sought}%`)
  else if (text?.trim()) matching = matching.where(nothing)
  if (mapIds)
    matching = matching.where(
      mapIds.length > 0 ? sql<SqlBool>`clients.map_id in (${sql.join(mapIds)})` : nothing,
    )

  const ofMaps = matching.innerJoin('maps', 'maps.map_id', 'clients.map_id')
  const counted = sort === 'size' ? parcelsByMap(read) : openIncidentsByMap(read)
  const ordered =
    sort === 'name'
      ? ofMaps
      : sort === 'changed'
        ? ofMaps.orderBy('maps.updated_at', 'desc')
        : ofMaps
            .leftJoin(counted.as('counted'), 'counted.map_id', 'clients.map_id')
            .orderBy(sql`coalesce(counted.number, 0)`, 'desc')
  const rows = await ordered
    .select([...clientColumns, hasThumbnail])
    .orderBy('list_order')
    .orderBy('clients.map_id')
    .limit(limit + 1)
    .offset(offset)
    .execute()
  const ids = hasTotals ? await matching.select('clients.map_id').execute() : []
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return {
    items: await toClients(read, rows.slice(0, limit)),
    total,
    isFollowed: rows.length > limit,
    ...(hasTotals
      ? {
          totals: await readTotals(
            read,
            ids.map((row) => row.map_id),
          ),
        }
      : {}),
  }
}

/** Databases limit the number of parameters. */
const mapsPerQuery = 500

async function readTotals(read: ReadDatabase, mapIds: readonly string[]): Promise<ClientTotals> {
  const totals = { properties: 0, attention: noAttention() }
  for (let start = 0; start < mapIds.length; start += mapsPerQuery) {
    const part = mapIds.slice(start, start + mapsPerQuery)
    for (const parcels of (await countParcels(read, part)).values()) totals.properties += parcels
    for (const attention of (await readAttention(read, part)).values())
      totals.attention = addAttention(totals.attention, attention)
  }
  return totals
}

/** Undefined for an archived client too. */
export async function readClient({ read }: Database, id: string): Promise<Client | undefined> {
  const client = await readAnyClient(read, id)
  return client?.archivedAt === null ? client : undefined
}

export async function readThumbnail({ read }: Database, id: string): Promise<string | undefined> {
  const row = await read
    .selectFrom('clients')
    .select('thumbnail')
    .where('map_id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  return row?.thumbnail ?? undefined
}
