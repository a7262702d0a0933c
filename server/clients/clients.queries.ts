import { type SqlBool, sql } from 'kysely'
import type { Client } from '#domain/clients/client.schema.ts'
import { foldText } from '#domain/values/text.ts'
import type { Database, ReadDatabase } from '../database/database.ts'
import { clientColumns, hasThumbnail, readAnyClient, toClients } from './client-rows.queries.ts'

export type ClientPosition = [listOrder: string, mapId: string]

export type ClientFilter = {
  text: string | undefined
  state: 'open' | 'archived'
  /** Only clients of these maps; undefined is any. */
  mapIds: readonly string[] | undefined
  /** Aborted when the client of the request disconnects. */
  asker: AbortSignal
}

const nothing = sql<SqlBool>`1 = 0`

type Page = { limit: number; after: ClientPosition | undefined }
type ClientList = { items: Client[]; total: number; last: ClientPosition | null }

/** Searches for clients take turns with each other, like questions about one map. */
const mapOfClients = ''

/** Clients by name. A search for text goes through all clients, in a worker; a page without one does not. */
export function listClients(database: Database, filter: ClientFilter, page: Page): Promise<ClientList> {
  if (!filter.text?.trim()) return readList(database.read, filter, page)
  const asker = { mapId: mapOfClients, signal: filter.asker }
  return database.readInWorker(asker, (read) => readList(read, filter, page))
}

async function readList(
  read: ReadDatabase,
  { text, state, mapIds }: ClientFilter,
  page: Page,
): Promise<ClientList> {
  const { after } = page
  const sought = foldText(text ?? '')
  let matching = read.selectFrom('clients').where('archived_at', state === 'open' ? 'is' : 'is not', null)
  if (sought !== '') matching = matching.where('search_text', 'like', `%${sought}%`)
  // Text without a letter or digit can match nothing.
  else if (text?.trim()) matching = matching.where(nothing)
  if (mapIds)
    matching = matching.where(
      mapIds.length > 0 ? sql<SqlBool>`clients.map_id in (${sql.join(mapIds)})` : nothing,
    )

  const rows = await matching
    .innerJoin('maps', 'maps.map_id', 'clients.map_id')
    .select([...clientColumns, hasThumbnail])
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
  const last = rows.length > page.limit ? shown.at(-1) : undefined
  return {
    items: await toClients(read, shown),
    total,
    last: last ? [last.list_order, last.map_id] : null,
  }
}

/** Undefined where there is none, or it is archived. */
export async function readClient({ read }: Database, id: string): Promise<Client | undefined> {
  const client = await readAnyClient(read, id)
  return client?.archivedAt === null ? client : undefined
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
