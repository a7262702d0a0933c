import type { Database } from '#server/database/database.ts'
import { openDatabase } from '#server/database/open-database.ts'
import { signIn } from '#test/server/signed-in.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type Load, startLoad } from './load.ts'
import { type OpenPages, openPages } from './open-pages.ts'

export const pageCount = 500

export type LoadedCluster = {
  cluster: Cluster
  mapId: string
  pages: OpenPages
  /** Its users add records whose ids begin with `prefix`. */
  startLoad(prefix: string): Load
  send(method: string, path: string, body: BodyInit, type?: string): Promise<Response>
  addAsset(id: string): Promise<Response>
  /** Changes that were confirmed and do not exist, and changes that were made twice. */
  findFaults(load: Load, prefix: string): Promise<{ lost: number; duplicated: number }>
  close(): Promise<void>
}

/** A cluster with three servers, a map, and `pageCount` pages that show it. */
export async function startLoadedCluster(project?: () => string): Promise<LoadedCluster> {
  const cluster = await startCluster({
    servers: 3,
    signal: new AbortController().signal,
    settings: { SAMPLE_DATA: 'off' },
    ...(project ? { project } : {}),
  })
  const origin = cluster.app
  const database = await openDatabase({ databaseUrl: cluster.databaseUrl, dataDirectory: '' }, () => {})
  const closing = [cluster.stop, database.close]
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    const headers = await signIn(database, 'administrator', { settings: { PUBLIC_URL: origin } })
    const send = (method: string, path: string, body: BodyInit, type = 'application/json') =>
      fetch(`${origin}${path}`, { method, headers: { ...headers, 'content-type': type }, body })
    const client = await send('POST', '/api/clients', JSON.stringify({ name: 'Oak Hills', location: '' }))
    const { id: mapId } = (await client.json()) as { id: string }
    const addAsset = (id: string) => {
      const geometry = { type: 'Point', coordinates: [-111, 34] }
      const asset = { kind: 'asset', id, name: id, geometry }
      return send('POST', `/api/maps/${mapId}/features`, JSON.stringify(asset))
    }
    const pages = openPages(origin, mapId, pageCount)
    closing.push(async () => pages.close())
    await pages.connected()
    return {
      cluster,
      mapId,
      pages,
      startLoad: (prefix) => startLoad({ origin, mapId, headers, prefix }),
      send,
      addAsset,
      findFaults: (load, prefix) => findFaults(database, mapId, load, prefix),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function findFaults({ read }: Database, mapId: string, { confirmed }: Load, prefix: string) {
  const features = await read
    .selectFrom('features')
    .select('id')
    .where('map_id', '=', mapId)
    .where('id', 'like', `${prefix}-%`)
    .execute()
  const clients = await read
    .selectFrom('clients')
    .select(['map_id', 'name'])
    .where('name', 'like', `${prefix}-%`)
    .execute()
  const additions = await read
    .selectFrom('activity')
    .select('subject')
    .where('map_id', '=', mapId)
    .where('action', '=', 'asset.added')
    .where('subject', 'like', `${prefix}-%`)
    .execute()
  const stored = new Set([...features.map(({ id }) => id), ...clients.map(({ map_id }) => map_id)])
  const made = [...confirmed.features, ...confirmed.clients.values()]
  return {
    lost: made.filter((id) => !stored.has(id)).length,
    duplicated:
      countRepeated(additions.map(({ subject }) => subject)) + countRepeated(clients.map(({ name }) => name)),
  }
}

const countRepeated = (values: readonly (string | null)[]) => values.length - new Set(values).size
