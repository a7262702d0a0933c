import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { fileOf, makeFolder, readContent, readFiles, recordsAt } from '#test/imports/readable-files.ts'
import { xmlDeclaration as declaration, cellOf as text, workbookOf } from '#test/imports/spreadsheets.ts'

const firstRow = (lines: string) => JSON.parse(lines.split('\n')[0] ?? '')

const head = text('A1', 'id') + text('B1', 'lat') + text('C1', 'lon')
const row = '<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>34.2</v></c><c r="C2"><v>-111.3</v></c></row>'
const rows = `<row r="1">${head}</row>${row}`
const laughs = Array.from(
  { length: 9 },
  (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
)
const entities = `<!DOCTYPE lol [<!ENTITY l0 "lol">${laughs.join('')}]>`

describe('a workbook', () => {
  const read = (rows: string, around?: Parameters<typeof workbookOf>[1]) =>
    readContent('lots.xlsx', workbookOf(rows, around))

  it('is read if it is valid', async () => {
    expect((await read(rows)).text).toBe('id,lat,lon\n1,34.2,-111.3\n')
  })

  it('has its columns named by its first row, even if all cells are texts', async () => {
    const texts = text('A2', 'one') + text('B2', '34.2') + text('C2', '-111.3')
    expect((await read(`<row r="1">${head}</row><row r="2">${texts}</row>`)).text).toBe(
      'id,lat,lon\none,"34.2","-111.3"\n',
    )
  })

  it('is rejected if its days count from 1904', async () => {
    await expect(read(rows, { options: '<workbookPr date1904="1"/>' })).rejects.toThrow(
      /uses the 1904 date system.*four years too early/,
    )
    await expect(read(rows, { options: '<workbookPr date1904="0"/>' })).resolves.toBeDefined()
  })

  const empty = '<c/>'.repeat(100_000)
  it.each<[string, string, string, RegExp]>([
    [
      'entities',
      `<row r="1">${text('A1', '&l9;')}</row>`,
      entities,
      /sheet1\.xml in the workbook declares XML entities/,
    ],
    [
      'a huge cell',
      `${rows}<row r="3">${text('A3', 'A'.repeat(4 * 1024 ** 2))}</row>`,
      '',
      /more than 200 times/,
    ],
    [
      'too many columns',
      `<row r="1">${head}<c r="XFD1"/></row>${row}`,
      '',
      /more than 2,000 columns. Remove/,
    ],
    ['too many empty columns', `<row r="1">${head}${empty}</row>${row}`, '', /more than 2,000 columns|bomb/],
  ])('is rejected if it has %s', async (_, sheet, before, message) => {
    await expect(read(sheet, { before })).rejects.toThrow(message)
  })
})

describe('a GeoPackage', () => {
  const point = `x'47500001e6100000010100000033333333333f5bc09a99999999194140'`

  function geopackage(more: string): string {
    const path = `${makeFolder()}/lots.gpkg`
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

  it('is read without running its triggers and views', async () => {
    const path = geopackage(`
      create trigger gone after insert on lots begin delete from lots; end;
      create view loader as select load_extension('evil');`)
    const { layers, text } = await readFiles([path], { layer: 'lots.gpkg/lots' })
    expect(layers.map(({ label }) => label)).toEqual(['lots', 'loader (lots.gpkg)'])
    expect(firstRow(text)).toMatchObject({ properties: { name: 'A' } })
    await expect(readFiles([path], { layer: 'lots.gpkg/loader' })).rejects.toThrow(
      /Could not read the file \(a GeoPackage\)/,
    )
  })
})

it('rejects KML that is a bomb of entities', async () => {
  const kml = `${declaration}${entities}<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>&l9;</name><Point><coordinates>-111.3,34.2</coordinates></Point></Placemark></kml>`
  await expect(recordsAt(fileOf('bomb.kml', kml))).rejects.toThrow(
    /^The KML is invalid at line 1, column \d+: Invalid character entity\.$/,
  )
})

it.each([
  ['urn:ogc:def:crs:EPSG::2223', false],
  ['EPSG:2223', true],
])('converts GeoJSON that names the projection %s (after the features: %s)', async (name, isLast) => {
  const crs = { type: 'name', properties: { name } }
  const geometry = { type: 'Point', coordinates: [949_000, 1_110_000] }
  const features = [{ type: 'Feature', properties: { a: 1 }, geometry }]
  const members = isLast ? { features, note: 'x'.repeat(100_000), crs } : { crs, features }
  const file = (json: object) => JSON.stringify({ type: 'FeatureCollection', ...json })
  const { layers, text } = await readContent('lots.geojson', file(members))
  expect(layers).toMatchObject([{ projection: 'NAD83 / Arizona Central (ft)', needsProjection: false }])
  expect(firstRow(text).geometry.coordinates).toEqual([
    expect.closeTo(-111.0946, 4),
    expect.closeTo(34.0484, 4),
  ])
  const unknown = { ...members, crs: { type: 'name', properties: { name: 'EPSG:999999' } } }
  expect(await readContent('odd.geojson', file(unknown))).toMatchObject({
    layers: [{ projection: null, needsProjection: true }],
  })
})
