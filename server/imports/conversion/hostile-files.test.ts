import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { xmlDeclaration as declaration, cellOf as text, workbookOf } from '#test/spreadsheets.ts'
import { readRecords } from '../formats/read-records.ts'
import { makeReadable } from './readable-file.ts'

// Files of strangers: each ends in words that say what is wrong, or is read as far as it can be.

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'poa-hostile-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const read = (path: string, layer: string | null = null) =>
  makeReadable([path], folder(), { layer, projection: null })

function fileOf(name: string, content: string | Buffer): string {
  const path = join(folder(), name)
  writeFileSync(path, content)
  return path
}

const firstRow = (path = '') => JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '')

const head = text('A1', 'id') + text('B1', 'lat') + text('C1', 'lon')
const row = '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>34.2</v></c><c r="C2"><v>-111.3</v></c></row>'
const rows = `<row r="1">${head}</row>${row}`
const laughs = Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
)
const entities = `<!DOCTYPE lol [<!ENTITY l0 "lol">${laughs.join('')}]>`

describe('a workbook', () => {
  const refused = (rows: string, around?: Parameters<typeof workbookOf>[1]) =>
    expect(read(fileOf('lots.xlsx', workbookOf(rows, around)))).rejects

  it('is read where nothing is wrong with it', async () => {
    const { chosen } = await read(fileOf('lots.xlsx', workbookOf(rows)))
    expect(readFileSync(chosen?.file?.path ?? '', 'utf8')).toBe('id,lat,lon\n1,34.2,-111.3\n')
  })

  it('has its columns named by its first row, where all is text too', async () => {
    const texts = text('A2', 'one') + text('B2', '34.2') + text('C2', '-111.3')
    const { chosen } = await read(
      fileOf('lots.xlsx', workbookOf(`<row r="1">${head}</row><row r="2">${texts}</row>`)),
    )
    expect(readFileSync(chosen?.file?.path ?? '', 'utf8')).toBe('id,lat,lon\none,"34.2","-111.3"\n')
  })

  it('is refused where its days count from 1904', async () => {
    await refused(rows, { options: '<workbookPr date1904="1"/>' }).toThrow(
      /count from 1904.*four years too early/,
    )
    await expect(
      read(fileOf('a.xlsx', workbookOf(rows, { options: '<workbookPr date1904="0"/>' }))),
    ).resolves.toMatchObject({ layers: [{ rows: 1 }] })
  })

  it('is refused where it is a bomb', async () => {
    await refused(`<row r="1">${text('A1', '&l9;')}</row>`, { before: entities }).toThrow(
      'xl/worksheets/sheet1.xml in the workbook declares entities',
    )
    const long = text('A3', 'A'.repeat(4 * 1024 ** 2))
    await refused(`${rows}<row r="3">${long}</row>`).toThrow(/more than 200 times its size/)
  })

  it('says that it has too many columns, empty ones too', async () => {
    const empty = Array.from({ length: 100_000 }, () => '<c/>').join('')
    await refused(`<row r="1">${head}<c r="XFD1"/></row>${row}`).toThrow(
      /more than 2,000 columns; remove the/,
    )
    await refused(`<row r="1">${head}${empty}</row>${row}`).toThrow(/more than 2,000 columns|bomb/)
  })
})

describe('a GeoPackage', () => {
  const point = `x'47500001e6100000010100000033333333333f5bc09a99999999194140'`

  function geopackage(more: string): string {
    const path = join(folder(), 'lots.gpkg')
    const file = new DatabaseSync(path)
    const placed = (table: string) => `
      insert into gpkg_contents values ('${table}', 'features', '${table}', '', '2020-01-01T00:00:00Z', -112, 34, -108, 35, 4326);
      insert into gpkg_geometry_columns values ('${table}', 'geom', 'POINT', 4326, 0, 0);`
    file.exec(`
      pragma application_id = 0x47504B47;
      pragma user_version = 10300;
      create table gpkg_spatial_ref_sys (srs_name text, srs_id integer primary key, organization text,
        organization_coordsys_id integer, definition text, description text);
      insert into gpkg_spatial_ref_sys values ('WGS 84', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]', '');
      create table gpkg_contents (table_name text primary key, data_type text, identifier text, description text,
        last_change text, min_x double, min_y double, max_x double, max_y double, srs_id integer);
      create table gpkg_geometry_columns (table_name text, column_name text, geometry_type_name text, srs_id integer,
        z tinyint, m tinyint);
      create table lots (fid integer primary key, geom blob, name text);
      insert into lots values (1, ${point}, 'A');
      ${placed('lots')}
      ${more}`)
    file.close()
    return path
  }

  it('is read, and none of its triggers and views does anything', async () => {
    const path = geopackage(`
      create trigger gone after insert on lots begin delete from lots; end;
      create view loader as select load_extension('evil');`)
    const { layers, chosen } = await read(path, 'lots.gpkg/lots')
    expect(layers.map(({ label }) => label)).toEqual(['lots', 'loader (lots.gpkg)'])
    expect(firstRow(chosen?.file?.path)).toMatchObject({ properties: { name: 'A' } })
    await expect(read(path, 'lots.gpkg/loader')).rejects.toThrow(/a GeoPackage, but cannot be read/)
  })
})

describe('a text', () => {
  it('of KML is refused where it is a bomb of entities', async () => {
    const kml = `${declaration}${entities}<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>&l9;</name><Point><coordinates>-111.3,34.2</coordinates></Point></Placemark></kml>`
    const { chosen } = await read(fileOf('bomb.kml', kml))
    const path = chosen?.file?.path ?? ''
    const records = readRecords({ name: 'bomb.kml', chunks: createReadStream(path) }, () => {})
    await expect(records.next()).rejects.toThrow(
      /^The KML breaks at line 1, column \d+: Invalid character entity\.$/,
    )
  })

  it('of GeoJSON that names its projection comes in degrees', async () => {
    const crs = (name: string) => ({ type: 'name', properties: { name } })
    const geometry = { type: 'Point', coordinates: [949_000, 1_110_000] }
    const collection = (name: string) => ({
      type: 'FeatureCollection',
      crs: crs(name),
      features: [{ type: 'Feature', properties: { a: 1 }, geometry }],
    })
    const { layers, chosen } = await read(
      fileOf('lots.geojson', JSON.stringify(collection('urn:ogc:def:crs:EPSG::2223'))),
    )
    expect(layers).toMatchObject([{ projection: 'NAD83 / Arizona Central (ft)', needsProjection: false }])
    expect(firstRow(chosen?.file?.path).geometry.coordinates).toEqual([
      expect.closeTo(-111.0946, 4),
      expect.closeTo(34.0484, 4),
    ])
    const { crs: itsCrs, ...others } = collection('EPSG:2223')
    const long = { ...others, note: 'x'.repeat(100_000), crs: itsCrs }
    const behind = await read(fileOf('behind.geojson', JSON.stringify(long)))
    expect(behind.layers).toMatchObject([{ projection: 'NAD83 / Arizona Central (ft)' }])
    const unknown = fileOf('odd.geojson', JSON.stringify(collection('EPSG:999999')))
    expect(await read(unknown)).toMatchObject({ layers: [{ projection: null, needsProjection: true }] })
  })
})
