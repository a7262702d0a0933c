import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as passed } from 'node:timers/promises'
import sharp from 'sharp'
import type { DemoClient } from './demo-client.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

// Expensive requests of one client. `attack.process.ts` sends them, so that its own work is not measured.

export const [attacked, measured] = ['pine-ridge', 'birch-lake']

export type Attackers = { editor: DemoClient; visitor: DemoClient }

export type Attack = {
  what: string
  prepare?(attackers: Attackers): Promise<void>
  atOnce: number
  /** Otherwise as many as one address may send. */
  perMinute?: number
  /** Environment variables of the server, beside those of `npm start`. */
  settings?: Record<string, string>
  once(attackers: Attackers): Promise<unknown>
  /** The same request, sent once by another client. */
  bystander?: { what: string; once(other: DemoClient): Promise<unknown> }
}

async function uploadImport(client: DemoClient, mapId: string, name: string, bytes: Buffer) {
  const path = `/api/maps/${mapId}/import-drafts`
  const id = randomUUID()
  const { status } = await client.ask('POST', path, { id, files: [{ name, size: bytes.length }] })
  if (status !== 201) throw new Error(`${path}: ${status}`)
  await client.ask('PUT', `${path}/${id}/files/0?offset=0`, bytes)
  for (;;) {
    const draft = JSON.parse((await client.ask('GET', `${path}/${id}`)).body.toString())
    if (draft.state !== 'receiving' && draft.state !== 'examining') {
      await client.ask('DELETE', `${path}/${id}`)
      return draft
    }
    await passed(100)
  }
}

const csv = Buffer.from('id,name,latitude,longitude\n1,A,46,-91\n')
let endless: Buffer = Buffer.alloc(0)
const wide = Buffer.from(
  `${Array.from({ length: 300_000 }, (_, column) => column.toString(36)).join()}\n${'1,'.repeat(300_000)}\n`,
)

/** A GeoPackage of 20 KB whose only layer has infinitely many rows. */
function makeEndless(): Buffer {
  const { folder, remove } = makeTemporaryFolder()
  const path = join(folder, 'endless.gpkg')
  const file = new DatabaseSync(path)
  file.exec(`pragma application_id = 0x47504B47; pragma user_version = 10300;
    create table gpkg_spatial_ref_sys (srs_name text, srs_id integer primary key, organization text,
      organization_coordsys_id integer, definition text, description text);
    create table gpkg_contents (table_name text primary key, data_type text, identifier text, description text,
      last_change text, min_x double, min_y double, max_x double, max_y double, srs_id integer);
    create table gpkg_geometry_columns (table_name text, column_name text, geometry_type_name text, srs_id integer,
      z tinyint, m tinyint);
    create view lots as with recursive numbers(x) as (select 1 union all select x + 1 from numbers)
      select x as fid, null as geom from numbers where x < 0;
    insert into gpkg_contents values ('lots', 'features', 'lots', '', '2020-01-01T00:00:00Z', -112, 34, -108, 35, 4326);
    insert into gpkg_geometry_columns values ('lots', 'geom', 'POINT', 4326, 0, 0)`)
  file.close()
  const bytes = readFileSync(path)
  remove()
  return bytes
}

const imports: Attack = {
  what: 'imports that never end or have 300,000 columns',
  atOnce: 6,
  async prepare() {
    endless = makeEndless()
  },
  once: ({ editor }) =>
    Promise.race([
      uploadImport(editor, attacked, 'endless.gpkg', endless),
      uploadImport(editor, attacked, 'wide.csv', wide).then(() =>
        editor.ask('GET', `/api/maps/${attacked}/import-drafts`),
      ),
    ]),
  bystander: {
    what: 'an import of another client',
    once: (other) => uploadImport(other, measured, 'a.csv', csv),
  },
}

const photo = (width: number, height: number, isNoisy: boolean) => {
  const noise = isNoisy ? { noise: { type: 'gaussian' as const, mean: 128, sigma: 40 } } : {}
  return sharp({ create: { width, height, channels: 3, background: '#456', ...noise } })
    .jpeg({ quality: 40, progressive: isNoisy })
    .toBuffer()
}
let slow = Buffer.alloc(0)
async function addPhoto(client: DemoClient, mapId: string, bytes: Buffer) {
  const list = await client.ask('GET', `/api/maps/${mapId}/features?kind=asset&limit=40`)
  const { items } = JSON.parse(list.body.toString())
  const featureId = items[Math.floor(Math.random() * items.length)].id
  const id = randomUUID()
  const upload = `/api/maps/${mapId}/uploads`
  await client.ask('POST', upload, { id, featureId, name: 'photo.jpg', size: bytes.length })
  const pieceBytes = 5 * 2 ** 20
  for (let offset = 0; offset < bytes.length; offset += pieceBytes)
    await client.ask(
      'PUT',
      `${upload}/${id}?offset=${offset}`,
      bytes.subarray(offset, offset + pieceBytes),
      300_000,
    )
}

const photos: Attack = {
  what: 'sixty slow photos at once',
  atOnce: 60,
  async prepare() {
    slow = await photo(5_000, 5_000, true)
  },
  once: ({ editor }) => addPhoto(editor, attacked, slow),
  bystander: {
    what: 'a small photo of another client',
    once: async (other) => addPhoto(other, measured, await photo(400, 300, false)),
  },
}

const exportOf = (client: DemoClient, mapId: string) =>
  client.ask('GET', `/api/maps/${mapId}/export?format=gpkg`, undefined, 60_000)

const exports: Attack = {
  what: 'forty converted exports of a visitor at once',
  atOnce: 40,
  once: ({ visitor }) => exportOf(visitor, attacked),
  bystander: { what: 'an export of the staff of another client', once: (other) => exportOf(other, measured) },
}

/** A comb-shaped parcel: two across each other intersect in `teeth`² places. */
function comb(teeth: number, isTurned: boolean) {
  const [west, south, width] = [-111.1, 34.02, 0.04]
  const ring: [number, number][] = [[west, south - 0.001]]
  for (let tooth = 0; tooth < teeth; tooth++) {
    const toothWest = west + (width * tooth) / teeth
    const toothEast = toothWest + width / teeth / 2
    ring.push([toothWest, south], [toothWest, south + width], [toothEast, south + width], [toothEast, south])
  }
  ring.push([west + width, south - 0.001])
  const turned = isTurned
    ? ring.map(([lng, lat]): [number, number] => [west + lat - south, south + lng - west]).reverse()
    : ring
  return { type: 'Polygon', coordinates: [[...turned, turned[0]]] }
}

const shapeChecks: Attack = {
  what: 'checks of shapes that overlap at 10,000 corners',
  atOnce: 4,
  async prepare({ editor }) {
    const parcel = {
      kind: 'parcel',
      id: randomUUID(),
      mapId: attacked,
      name: 'Comb',
      geometry: comb(100, false),
    }
    await editor.ask('POST', `/api/maps/${attacked}/features`, parcel)
  },
  once: ({ editor }) =>
    editor.ask('POST', `/api/maps/${attacked}/shape-check`, { kind: 'parcel', geometry: comb(100, true) }),
}

const hostileFilters = [
  `'${'a'.repeat(200)}' like '${'%a'.repeat(60)}b'`,
  `not (${Array(25).fill('S_INTERSECTS(geometry,LINESTRING(-111.1 34.0,-111.05 34.1,-111.02 34.0))').join(' or ')})`,
]
let turn = 0
const ogc: Attack = {
  what: 'OGC filters that are hard to answer',
  atOnce: 20,
  once({ visitor }) {
    const filter = hostileFilters[turn++ % hostileFilters.length] as string
    const path = `/ogc/${attacked}/collections/parcels/items?limit=100&filter=${encodeURIComponent(filter)}`
    return visitor.ask('GET', path)
  },
}

const reports: Attack = {
  what: '5,000 reports a minute from 500 addresses',
  atOnce: 20,
  perMinute: 5_000,
  // All of them arrive.
  settings: { TRUSTED_PROXIES: '1', REPORT_LIMITS: 'measure', REPORT_PROOF_OF_WORK: 'off' },
  once({ visitor }) {
    const report = {
      id: randomUUID(),
      key: randomUUID().replaceAll('-', ''),
      type: 'flood',
      place: { lat: 34 + Math.random() / 100, lng: -111 + Math.random() / 100 },
      description: 'Water on the road',
      email: 'neighbor@example.org',
    }
    const address = Math.floor(Math.random() * 500)
    const from = { 'x-forwarded-for': `198.51.${100 + Math.floor(address / 250)}.${address % 250}` }
    return visitor.ask('POST', `/api/maps/${attacked}/reports`, report, undefined, from)
  },
}

export const attacks: readonly Attack[] = [imports, photos, exports, shapeChecks, ogc, reports]
