import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { maxPieceBytes } from '#domain/files/piece-size.ts'
import { folderBytes } from '#server/processes/processes.ts'
import { withScratchFile } from '#server/processes/scratch-file.ts'
import { onEachEngine, onEngine } from '#test/databases/databases.ts'
import { filesBelow } from '#test/imports/file-bytes.ts'
import { startImports } from '#test/imports/import-drafts.ts'
import { expectProblem } from '#test/server/test-app.ts'
import { importsFolder, workingFolder } from './working-folder.ts'

const csv = 'Nr,Lat,Lon\n1,34.2,-111.3\n'

const point = "x'47500001e6100000010100000033333333333f5bc09a99999999194140'"

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
    const { upload, done } = await startImports(await createDatabase(), {
      hasProcesses: true,
      maxExaminingMs: 4_000,
    })
    const view = `select x as fid, ${point} as geom from numbers where x < 0`
    const id = await upload('lots.gpkg', await geoPackageOf(view))
    const problem = expect.stringContaining('it took too long')
    expect(await done(id)).toMatchObject({ state: 'refused', problem })
  })

  it('stop a small file that becomes more than 200 times its size', async () => {
    const { upload, done } = await startImports(await createDatabase(), { hasProcesses: true })
    const id = await upload('lots.gpkg', await geoPackageOf(rowsOf(2 ** 20, 400)))
    const problem = expect.stringContaining('expands to more than 64 MB')
    expect(await done(id)).toMatchObject({ state: 'refused', problem })
  })

  it('convert only the first rows before the preview', async () => {
    const database = await createDatabase()
    const { upload, change, done, step } = await startImports(database)
    const id = await upload('lots.gpkg', await geoPackageOf(rowsOf(1_000, 2_000)))
    expect(await done(id)).toMatchObject({ state: 'examined', found: { layers: [{ rows: 2_000 }] } })
    const folder = join(
      workingFolder(database.location.dataDirectory, { mapId: 'oak-hills', id }),
      'converted',
    )
    expect(await folderBytes(folder)).toBeLessThan(10 ** 6)
    await change(id, { kind: 'asset' })
    expect(await step(id, 'try')).toMatchObject({ state: 'tried', outcome: { rows: 2_000 } })
  })
})

onEngine('sqlite', 'the quota of a step', (createDatabase) => {
  it('stops a step that exceeds it', async () => {
    const database = await createDatabase()
    const { upload, done } = await startImports(database, { hasProcesses: true, quotaBytes: 2 * 2 ** 20 })
    const id = await upload('lots.gpkg', await geoPackageOf(rowsOf(10_000, 400)))
    expect(await done(id)).toMatchObject({
      state: 'refused',
      problem: expect.stringMatching(
        /more than the remaining 2 MB of 2 MB for imports of this map \(IMPORT_QUOTA_MB\)/,
      ),
    })
  })
})

onEngine('sqlite', 'a file of one endless line', (createDatabase) => {
  const heap = 128
  const filling = Buffer.alloc(maxPieceBytes, 'x')

  it.each([
    ['csv', 30, 'id,name,lat,lon\n1,"', 'a row is longer than 16 MB. A quote may not be closed'],
    ['json', 80, '[{"id":1,"name":"', 'The JSON value at line 1, column 2 (byte 1) is longer than 64 MB.'],
    ['kml', 80, '<kml><Document><Placemark><name>', 'a Placemark is longer than 64 MB'],
  ])('of %s is refused and leaves no files', async (ending, megabytes, start, words) => {
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('NODE_OPTIONS', `--max-old-space-size=${heap}`)
    const database = await createDatabase()
    const { app, ask, good, announce, done } = await startImports(database, { hasProcesses: true })
    const size = megabytes * 2 ** 20
    const id = await announce({ name: `long.${ending}`, size })
    for (let offset = 0; offset < size; offset += maxPieceBytes) {
      const piece = filling.subarray(0, Math.min(maxPieceBytes, size - offset))
      const bytes = offset === 0 ? Buffer.concat([Buffer.from(start), piece.subarray(start.length)]) : piece
      await good('PUT', `/${id}/files/0?offset=${offset}`, bytes)
    }
    const problem = expect.stringContaining(words)
    expect(await done(id)).toMatchObject({ state: 'refused', problem })
    expect(filesBelow(importsFolder(database.location.dataDirectory))).toEqual([])
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
    expect(filesBelow(app.store.place)).toEqual([])
  })
})

onEachEngine('the quota of imports', (createDatabase) => {
  it('counts uploaded and converted bytes until the import is discarded', async () => {
    const database = await createDatabase()
    const { ask, upload, done } = await startImports(database, { quotaBytes: 2 ** 20 })
    const id = await upload('a.csv', csv + '\n'.repeat(300_000))
    expect((await done(id)).state).toBe('examined')
    const next = () => ask('POST', '', { id: randomUUID(), files: [{ name: 'b.csv', size: 300_000 }] })
    expect(expectProblem(await next(), 400).detail).toMatch(
      /need 1 MB, but imports of this map already use 1 MB of 1 MB \(IMPORT_QUOTA_MB\). Discard old imports/,
    )
    expect((await ask('DELETE', `/${id}`)).statusCode).toBe(204)
    expect((await next()).statusCode).toBe(201)
  })
})
