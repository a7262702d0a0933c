import pg from 'pg'
import type { TileAddress } from '#domain/tiles/tile-address.ts'
import { percentile, type Row, rounded } from './row.ts'

// As common tile servers for PostGIS: every feature of the tile with ST_AsMVT, from a table with a Web Mercator
// geometry column and a GiST index.

const timeoutMs = 30_000

export async function timeUnthinnedTiles(
  databaseUrl: string,
  { mapId, where, tiles }: { mapId: string; where: string; tiles: readonly TileAddress[] },
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('create extension if not exists postgis')
    await client.query('create schema if not exists peer')
    await client.query('drop table if exists peer.features')
    await client.query(
      `create table peer.features as
       select id, kind, shape, type, status, severity,
         st_transform(st_setsrid(st_geomfromgeojson(geometry), 4326), 3857) as geom
       from features where map_id = $1`,
      [mapId],
    )
    await client.query('create index on peer.features using gist (geom)')
    await client.query('vacuum analyze peer.features')
    await client.query(`set statement_timeout = ${timeoutMs}`)
    const answers: Answer[] = []
    for (const tile of tiles) answers.push(await timeTile(client, tile))
    await client.query('reset statement_timeout')
    await client.query('drop schema peer cascade')
    const times = answers.map(({ ms }) => ms)
    const cut = answers.filter(({ isCut }) => isCut).length
    const largest = Math.max(...answers.map(({ bytes }) => bytes))
    return [
      {
        figure: `  beside it ST_AsMVT of everything, p95 (${where})`,
        value: rounded(percentile(times, 95), 1),
        unit: 'ms',
        note: `the same tiles; largest ${(largest / 1e6).toFixed(1)} MB; ${cut} given up after ${timeoutMs / 1000} s and counted as that`,
      },
      {
        figure: `  beside it ST_AsMVT of everything, median (${where})`,
        value: rounded(percentile(times, 50), 1),
        unit: 'ms',
      },
    ]
  } finally {
    await client.end()
  }
}

type Answer = { ms: number; bytes: number; isCut: boolean }

async function timeTile(client: pg.Client, { z, x, y }: TileAddress): Promise<Answer> {
  const start = performance.now()
  try {
    const { rows } = await client.query<{ tile: Buffer }>(
      `select st_asmvt(tile, 'features', 4096, 'geom') as tile from (
         select id, kind, shape, type, status, severity,
           st_asmvtgeom(geom, st_tileenvelope($1, $2, $3), 4096, 128, true) as geom
         from peer.features
         where geom && st_tileenvelope($1, $2, $3, margin => (128.0 / 4096))
       ) as tile`,
      [z, x, y],
    )
    return { ms: performance.now() - start, bytes: rows[0]?.tile.length ?? 0, isCut: false }
  } catch (error) {
    // 57014: canceled by the time limit.
    if ((error as { code?: string }).code !== '57014') throw error
    return { ms: timeoutMs, bytes: 0, isCut: true }
  }
}
