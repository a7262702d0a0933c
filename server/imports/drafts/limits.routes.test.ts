import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { folderBytes } from '#server/processes/processes.ts'
import { withScratchFile } from '#server/processes/scratch-file.ts'
import { onEachEngine, onEngine } from '#test/databases.ts'
import { startImports } from '#test/import-drafts.ts'
import { expectProblem } from '#test/test-app.ts'
import { workingFolder } from './working-folder.ts'

const csv = 'Nr,Lat,Lon\n1,34.2,-111.3\n'

const point = "x'47500001e6100000010100000033333333333f5bc09a99999999194140'"

/** A GeoPackage whose only layer is a view. */
function geoPackageOf(view: string): Promise<Buffer> {
  return withScratchFile('lots.gpkg', '', (path) => {
    const file = new DatabaseSync(path)
    file.exec(`pragma application_id = 0x47504B47; pragma user_version = 10300;
      create table gpkg_spatial_ref_sys (srs_name text, srs_id integer primary key, organization text,
        organization_coordsys_id integer, definition text, description text);
      insert into gpkg_spatial_ref_sys values ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",' ||
        'SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]', '');
      create table gpkg_contents (table_name text primary key, data_type text, identifier text, description text,
        last_change text, min_x double, min_y double, max_x double, max_y double, srs_id integer);
      create table gpkg_geometry_columns (table_name text, column_name text, geometry_type_name text, srs_id integer,
        z tinyint, m tinyint);
      create view lots as with recursive numbers(x) as (select 1 union all select x + 1 from numbers) ${view};
      insert into gpkg_contents values ('lots', 'features', 'lots', '', '2020-01-01T00:00:00Z', -112, 34, -108, 35, 4326);
      insert into gpkg_geometry_columns values ('lots', 'geom', 'POINT', 4326, 0, 0)`)
    file.close()
    return readFileSync(path)
  })
}

const rowsOf = (bytes: number, count: number) =>
  `select x as fid, ${point} as geom, 'Lot ' || x as name, hex(zeroblob(${bytes / 2})) as text from numbers limit ${count}`

onEngine('sqlite', 'the limits of an import', (createDatabase) => {
  it('stop a view that computes forever', async () => {
    const { bring, done } = await startImports(await createDatabase(), { mostExaminingMs: 4_000 })
    const id = await bring(
      'lots.gpkg',
      await geoPackageOf(`select x as fid, ${point} as geom from numbers where x < 0`),
    )
    expect(await done(id)).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('it took too long'),
    })
  })

  it('stop a small file of which more than 200 times its size is made', async () => {
    const { bring, done } = await startImports(await createDatabase())
    const id = await bring('lots.gpkg', await geoPackageOf(rowsOf(2 ** 20, 400)))
    expect(await done(id)).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('becomes larger than 64 MB'),
    })
  })

  it('have only the first rows converted before the trial', async () => {
    const database = await createDatabase()
    const { bring, done, good, step } = await startImports(database)
    const id = await bring('lots.gpkg', await geoPackageOf(rowsOf(1_000, 2_000)))
    expect(await done(id)).toMatchObject({ state: 'examined', found: { layers: [{ rows: 2_000 }] } })
    const folder = join(
      workingFolder(database.location.dataDirectory, { mapId: 'oak-hills', id }),
      'converted',
    )
    expect(await folderBytes(folder)).toBeLessThan(10 ** 6)
    await good('PATCH', `/${id}/settings`, { kind: 'asset' })
    expect(await step(id, 'try')).toMatchObject({ state: 'tried', outcome: { rows: 2_000 } })
  })
})

onEachEngine('the quota of imports', (createDatabase) => {
  it('counts what was sent and made, says how much, and has room again when an import is discarded', async () => {
    const database = await createDatabase()
    const { ask, bring, done } = await startImports(database, { quotaBytes: 2 ** 20 })
    const id = await bring('a.csv', csv + '\n'.repeat(300_000))
    expect((await done(id)).state).toBe('examined')
    const next = () => ask('POST', '', { id: randomUUID(), files: [{ name: 'b.csv', size: 300_000 }] })
    expect(expectProblem(await next(), 400).detail).toMatch(
      /need 1 MB; the imports of this map take 1 MB of 1 MB \(IMPORT_QUOTA_MB\). Discard imports/,
    )
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
    expect((await next()).statusCode).toBe(201)
  })

  it('stops a step that would take more than is left, and says how much that is', async () => {
    const database = await createDatabase()
    const { bring, done } = await startImports(database, { quotaBytes: 2 * 2 ** 20 })
    const id = await bring('lots.gpkg', await geoPackageOf(rowsOf(10_000, 400)))
    expect(await done(id)).toMatchObject({
      state: 'refused',
      problem: expect.stringMatching(/may take 2 MB \(IMPORT_QUOTA_MB\), of which 2 MB are left/),
    })
  })
})
