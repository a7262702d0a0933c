import { describe, expect, it } from 'vitest'
import { recordsOf } from '#test/imports/import-inputs.ts'

describe('readRecords', () => {
  it.each([
    ['\ufeff  \n [{"a":1}]', 'table.csv', 'json'],
    ['a,b\n1,2', 'misnamed.geojson.txt', 'csv'],
    ['\u001e{"a":1}', 'sequence', 'json'],
    ['{"a":1}', 'page.csv', 'json'],
  ])('detects the format from the content: %j in %s is %s', async (text, name, format) => {
    expect((await recordsOf(text, name)).records[0]?.format).toBe(format)
  })

  it.each([
    ['little-endian with a byte order mark', [0xff, 0xfe], false],
    ['little-endian without', [], false],
    ['big-endian with a byte order mark', [0xfe, 0xff], true],
    ['big-endian without', [], true],
  ])('reads UTF-16 %s', async (_, mark, isBigEndian) => {
    const text = Buffer.from('id,title\n1,Café\n', 'utf16le')
    const bytes = Buffer.concat([Buffer.from(mark), isBigEndian ? text.swap16() : text])
    const { records } = await recordsOf(bytes, 'table.csv')
    expect(records[0]?.properties).toEqual([
      ['id', '1'],
      ['title', 'Café'],
    ])
  })

  it.each(['', ' \n '])('rejects %j: it is empty', async (text) => {
    await expect(recordsOf(text)).rejects.toThrow('The file is empty.')
  })

  const geometries = "ogr2ogr -t_srs EPSG:4326 converted.geojson 'the land'"
  const zipped = "ogr2ogr -t_srs EPSG:4326 converted.geojson /vsizip/'the land'"
  const table = "ogr2ogr -f CSV converted.csv 'the land'"
  it.each([
    [zip('a.cpg', 'a.shp'), 'a zipped Shapefile', zipped],
    [zip('land.gdb/a00000001.gdbtable'), 'a zipped File Geodatabase', zipped],
    [zip('[Content_Types].xml', 'xl/workbook.xml'), 'an Excel workbook (xlsx)', table],
    [zip('[Content_Types].xml', 'word/document.xml'), 'an Office document', 'Save its table as CSV.'],
    [
      `${zip('mimetype')}application/vnd.oasis.opendocument.spreadsheet`,
      'an OpenDocument spreadsheet (ods)',
      table,
    ],
    [zip('doc.kml'), 'a KMZ', geometries],
    [zip('land.geojson'), 'a zip archive', "unzip 'the land'"],
    [zip('readme.txt'), 'a zip archive', zipped],
    ['\u00d0\u00cf\u0011\u00e0\u00a1', 'an old Excel workbook', 'save it as "Excel Workbook (.xlsx)"'],
    ['\u001f\u008b\u0008', 'compressed with gzip', "gunzip 'the land'"],
    [`${'x'.repeat(257)}ustar`, 'a tar archive', "tar -xf 'the land'"],
    [`SQLite format 3\u0000${'x'.repeat(52)}GPKG`, 'a GeoPackage', `${geometries} LAYER`],
    [`SQLite format 3\u0000${'x'.repeat(52)}....`, 'an SQLite database', `${geometries} LAYER`],
    ['\u0000\u0000\u0027\u000a', 'a Shapefile', geometries],
    ['\u0003\u0077\u0007\u001a\u0005\u0000\u0000\u0000\u0081\u0000', 'the table of a Shapefile', geometries],
    ['PROJCS["NAD83 / Arizona Central",', 'the projection of a Shapefile', geometries],
    ['fgb\u0003', 'a FlatGeobuf', geometries],
    ['PAR1', 'a Parquet file', geometries],
    ['<gpx version="1.1"/>', 'a GPX', `${geometries} waypoints`],
    ['<wfs:FeatureCollection xmlns:gml="http://www.opengis.net/gml">', 'a GML', `${geometries} LAYER`],
    ['<!DOCTYPE html><html><body>Sign in</body></html>', 'a web page (HTML)', 'Open the file in a browser'],
    ['<rss/>', 'XML', geometries],
    ['  0\r\nSECTION\r\n  2\r\nHEADER', 'a DXF drawing', 'ogr2ogr -s_srs EPSG:NNNN -t_srs EPSG:4326'],
    ['AC1027', 'a DWG drawing', 'DXF'],
    ['%PDF-1.7', 'a PDF', `${geometries} LAYER`],
    ['\u0089PNG\r\n', 'an image (PNG)', 'Ask its source'],
    ['\u00ff\u00d8\u00ff\u00e0', 'an image (JPEG)', 'Ask its source'],
    ['II*\u0000', 'an image (TIFF)', 'Ask its source'],
    ['!table\n!version 300', 'a MapInfo file', geometries],
    ['\u0001\u0000\u0000\u0002', 'in an unknown format', "ogrinfo 'the land'"],
    ['callback({"type":"FeatureCollection","features":[]});', 'a script', 'without callback='],
    ['/**/ typeof show === "function" && show({"a":1})', 'a script', 'without callback='],
    [")]}'\n{}", 'a script', 'without callback='],
    ['{"type":"Topology","objects":{},"arcs":[]}', 'TopoJSON', geometries],
    ['{"geometryType":"esriGeometryPolygon","features":[]}', 'Esri JSON', geometries],
    [
      '{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::2249"}},"features":[]}',
      'in coordinates of urn:ogc:def:crs:EPSG::2249 instead of WGS 84',
      geometries,
    ],
  ])('rejects %j: it is %s', async (text, what, help) => {
    const refused = recordsOf(Buffer.from(text, 'latin1'), 'the land')
    await expect(refused).rejects.toThrow(`The file is ${what}`)
    await expect(refused).rejects.toThrow('GPX, and DXF are supported. ')
    await expect(refused).rejects.toThrow(help)
  })

  const page = '<html><head><meta name="x"></head><body><script>1</script></body></html>'
  const cells = '<table xmlns:x="urn:schemas-microsoft-com:office:excel"><tr><td>1</td></tr></table>'
  const descriptions = [page, `<!DOCTYPE html>${page}`, cells].map((html) => `<![CDATA[${html}]]>`)

  it.each(descriptions)('reads KML with the description %s', async (description) => {
    const content = `<Placemark><name>12</name><description>${description}</description></Placemark>`
    for (const text of [
      `<?xml version="1.0"?><!-- ${page} --><kml>${content}</kml>`,
      `<k:kml xmlns:k="http://www.opengis.net/kml/2.2">${content}</k:kml>`,
    ])
      expect((await recordsOf(text)).records[0]?.format).toBe('kml')
  })

  it.each([
    ['a GPX', 'gpx'],
    ['an image (SVG)', 'svg'],
    ['a GML', 'wfs:FeatureCollection xmlns:gml="http://www.opengis.net/gml"'],
  ])('recognizes %s whose texts hold web pages', async (what, root) => {
    for (const description of descriptions)
      await expect(recordsOf(`<${root}><desc>${description}</desc>`)).rejects.toThrow(`The file is ${what}. `)
  })

  it.each([
    'import date,lat,lng\n2020-01-01,1,2',
    'function,lat,lng\nx,1,2',
    'BM,lat,lng\n1,1,2',
    'area (acres),lat,lng\n1,1,2',
    'var,lat=x\n1,2',
  ])('reads the table %j, which is no script and no picture', async (text) => {
    expect((await recordsOf(text)).records[0]?.format).toBe('csv')
  })

  const named = (count: number, prefix = 'c') =>
    Array.from({ length: count }, (_, number) => `${prefix}${number}`)
  const record = (names: readonly string[]) =>
    JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])))
  it.each([
    ['CSV', 'a.csv', (names: readonly string[]) => `${names.join()}\n${names.map(() => 1).join()}\n`],
    ['JSON', 'a.json', (names: readonly string[]) => `[${record(names)}]`],
    [
      'JSON of different rows',
      'a.json',
      (names: readonly string[]) => `[${names.map((name) => record([name])).join()}]`,
    ],
  ])(
    'reads 2,000 columns of %s, and rejects one more or names that are too long',
    async (_, fileName, write) => {
      expect((await recordsOf(write(named(2_000)), fileName)).records.length).toBeGreaterThan(0)
      await expect(recordsOf(write(named(2_001)), fileName)).rejects.toThrow(
        'The table has 2,001 columns, but the limit is 2,000.',
      )
      await expect(recordsOf(write(named(3, 'x'.repeat(70_000))), fileName)).rejects.toThrow(
        'The names of the 3 columns have 210,003 characters',
      )
    },
  )
})

function zip(...names: string[]) {
  const header = (length: number) =>
    `PK\u0003\u0004${'\u0000'.repeat(22)}${String.fromCharCode(length)}${'\u0000'.repeat(3)}`
  return names.map((name) => header(name.length) + name).join('')
}
