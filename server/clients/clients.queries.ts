import { sql } from 'kysely'
import type { Client } from '#domain/clients/client.schema.ts'
import { foldText } from '#domain/features/text.ts'
import type { Database } from '../database/database.ts'

export type ClientPosition = [listOrder: string, mapId: string]

const columns = ['clients.map_id', 'name', 'location', 'list_order', 'archived_at', 'version'] as const
/** Whether there is a thumbnail; the picture itself has an address of its own. */
const hasThumbnail = sql<number>`case when thumbnail is null then 0 else 1 end`.as('has_thumbnail')
type ClientRow = {
  map_id: string
  name: string
  location: string
  has_thumbnail: number
  archived_at: number | null
  version: number
  last_updated: number
}

/** Clients that are not archived, by name. */
export async function listClients(
  { read }: Database,
  text: string | undefined,
  page: { limit: number; after: ClientPosition | undefined },
): Promise<{ items: Client[]; total: number; last: ClientPosition | null }> {
  const { after } = page
  const sought = foldText(text ?? '')
  let matching = read.selectFrom('clients').where('archived_at', 'is', null)
  if (sought !== '') matching = matching.where('search_text', 'like', `%${sought}%`)
  else if (text?.trim()) matching = matching.where(sql<boolean>`1 = 0`)

  const rows = await matching
    .innerJoin('maps', 'maps.map_id', 'clients.map_id')
    .select([...columns, hasThumbnail, 'maps.updated_at as last_updated'])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(clients.list_order, clients.map_id) > (${sql.join(after ?? [])})`),
    )
    .orderBy('list_order')
    .orderBy('clients.map_id')
    .limit(page.limit + 1)
    .execute()
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const shown = rows.slice(0, page.limit)
  const parcelCounts = await countParcels(
    read,
    shown.map((row) => row.map_id),
  )
  const last = rows.length > page.limit ? shown.at(-1) : undefined
  return {
    items: shown.map((row) => toClient(row, parcelCounts.get(row.map_id) ?? 0)),
    total,
    last: last ? [last.list_order, last.map_id] : null,
  }
}

/** Undefined where there is none, or it is archived. */
export async function readClient({ read }: Database, id: string): Promise<Client | undefined> {
  const row = await read
    .selectFrom('clients')
    .innerJoin('maps', 'maps.map_id', 'clients.map_id')
    .select([...columns, hasThumbnail, 'maps.updated_at as last_updated'])
    .where('clients.map_id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  if (!row) return undefined
  return toClient(row, (await countParcels(read, [id])).get(id) ?? 0)
}

async function countParcels(read: Database['read'], mapIds: readonly string[]): Promise<Map<string, number>> {
  if (mapIds.length === 0) return new Map()
  const rows = await read
    .selectFrom('features')
    .select(({ fn }) => ['map_id', fn.countAll<number>().as('count')])
    .where('kind', '=', 'parcel')
    .where('map_id', 'in', mapIds as string[])
    .groupBy('map_id')
    .execute()
  return new Map(rows.map((row) => [row.map_id, row.count]))
}

/** The picture as it is stored, a data address; undefined where there is none. */
export async function readThumbnail({ read }: Database, id: string): Promise<string | undefined> {
  const row = await read
    .selectFrom('clients')
    .select('thumbnail')
    .where('map_id', '=', id)
    .where('archived_at', 'is', null)
    .executeTakeFirst()
  return row?.thumbnail ?? undefined
}

function toClient(row: ClientRow, properties: number): Client {
  const { map_id: id, name, location, has_thumbnail, last_updated, archived_at, version } = row
  return {
    id,
    name,
    location,
    properties,
    lastUpdated: new Date(last_updated).toISOString(),
    thumbnail: has_thumbnail === 1 ? `/api/clients/${id}/thumbnail` : null,
    archivedAt: archived_at === null ? null : new Date(archived_at).toISOString(),
    version,
  }
}
