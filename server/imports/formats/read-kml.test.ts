import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { realDataFile } from '#test/imports/real-data-files.ts'
import { readKml } from './read-kml.ts'
import type { SourceRecord } from './source-record.ts'
import { readWkt } from './well-known-shapes.ts'

const inChunks = async function* (bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const kml = (content: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">${content}</kml>`

const read = async (content: string | Buffer, size = 7) => {
  const notices: string[] = []
  const bytes = typeof content === 'string' ? Buffer.from(kml(content)) : content
  const records: SourceRecord[] = []
  const reading = readKml(inChunks(bytes, size), (notice) => notices.push(notice))
  for await (const record of reading) records.push(record)
  return { records, notices }
}
const placemark = (content: string) => `<Placemark>${content}</Placemark>`
const point = '<Point><coordinates>-111.3,34.2,100</coordinates></Point>'
const ring = (side: number) =>
  `<LinearRing><coordinates>0,0 ${side},0 ${side},${side} 0,${side} 0,0</coordinates></LinearRing>`

describe('KML', () => {
  it('reads each Placemark as a row with its data and folders', async () => {
    const { records } = await read(
      `<Document><name>All</name><Folder><name>North</name><Folder><name>Wells</name>
        <Placemark id="w1"><name> Old well </name><description><![CDATA[<b>deep</b> & old]]></description>
          <TimeStamp><when>2020-01-02</when></TimeStamp>
          <ExtendedData>
            <Data name="Owner"><displayName>Who</displayName><value>Ann Müller</value></Data>
            <SchemaData schemaUrl="#s"><SimpleData name="DEPTH">12.5</SimpleData></SchemaData>
          </ExtendedData>${point}</Placemark>
        </Folder></Folder>${placemark('<name>Nowhere</name>')}</Document>`,
    )
    expect(records).toEqual([
      {
        rowNumber: 1,
        line: 2,
        id: 'w1',
        properties: [
          ['Name', 'Old well'],
          ['Description', '<b>deep</b> & old'],
          ['Time', '2020-01-02'],
          ['Owner', 'Ann Müller'],
          ['DEPTH', '12.5'],
          ['Folder', 'North / Wells'],
        ],
        geometry: { type: 'Point', coordinates: [-111.3, 34.2] },
      },
      { rowNumber: 2, line: 8, properties: [['Name', 'Nowhere']], geometry: null },
    ])
  })

  const line = '<LineString><coordinates>1,2 3,4</coordinates></LineString>'
  const holed = `<outerBoundaryIs>${ring(4)}</outerBoundaryIs><innerBoundaryIs>${ring(1)}</innerBoundaryIs>`
  it.each<[string, string, unknown]>([
    ['a line', line, readWkt('LINESTRING (1 2, 3 4)')],
    ['spaces after commas', line.replace('1,2 3,4', '1, 2, 0\n 3, 4, 0'), readWkt('LINESTRING (1 2, 3 4)')],
    [
      'a polygon with a hole',
      `<Polygon>${holed}</Polygon>`,
      readWkt('POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (0 0, 1 0, 1 1, 0 1, 0 0))'),
    ],
    [
      'many points',
      `<MultiGeometry>${point}<MultiGeometry>${point}${point}</MultiGeometry></MultiGeometry>`,
      readWkt('MULTIPOINT (-111.3 34.2, -111.3 34.2, -111.3 34.2)'),
    ],
    ['one of many', `<MultiGeometry>${point}</MultiGeometry>`, readWkt('POINT (-111.3 34.2)')],
    ['a point and a line', `<MultiGeometry>${point}${line}</MultiGeometry>`, { type: 'GeometryCollection' }],
    [
      'a track',
      '<gx:Track><when>2020</when><gx:coord>1 2 3</gx:coord><when>2021</when><gx:coord>4 5 6</gx:coord></gx:Track>',
      readWkt('LINESTRING (1 2, 4 5)'),
    ],
    [
      'a coordinate that is not a number',
      '<Point><coordinates>here,34.2</coordinates></Point>',
      { coordinates: ['here', 34.2] },
    ],
    ['a prefix', '<x:Point><x:coordinates>1,2</x:coordinates></x:Point>', readWkt('POINT (1 2)')],
  ])('reads %s', async (_what, shape, geometry) => {
    const { records } = await read(placemark(shape))
    expect(records).toMatchObject([{ geometry }])
  })

  const tableOf = (html: string) => read(placemark(`<description><![CDATA[${html}]]></description>`), 2 ** 20)

  it('reads an HTML table in a description as columns, without its title and styles', async () => {
    const { records, notices } = await tableOf(`<html><head><style>td { color: red }</style></head><body>
      <table border="1"><tr><td colspan=2><b>Lot 12</b></td></tr><tr><td><table>
      <tr bgcolor="#D4E4F3"><td>OWNER</td><td>Smith &amp; Sons</td></tr>
      <TR><TH>Address</TH><TD>1 Main St<br>Springfield</TD></TR>
      <tr><td>NOTE</td><td></td></tr></table></td></tr></table></body></html>`)
    expect(records[0]?.properties).toEqual([
      ['Description', 'Lot 12'],
      ['OWNER', 'Smith & Sons'],
      ['Address', '1 Main St Springfield'],
      ['NOTE', ''],
    ])
    expect(notices).toEqual(['Tables in descriptions were read as columns.'])
  })

  it.each(['Just a lot', '<b>bold</b>', '<table><tr><td>1</td><td>2</td><td>3</td></tr></table>'])(
    'keeps a description without a table of names and values: %s',
    async (text) => expect((await tableOf(text)).records[0]?.properties).toEqual([['Description', text]]),
  )

  it('reads tags that never end in one pass', async () => {
    const started = performance.now()
    await tableOf(`<tr>${'<'.repeat(2_000_000)}`)
    await tableOf(`<tr>${'<td'.repeat(500_000)}`)
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('reads character references', async () => {
    const { records } = await read(placemark('<name>Zoë&#8217;s Müller &#233; 😀</name>'), 1)
    expect(records).toMatchObject([{ properties: [['Name', 'Zoë’s Müller é 😀']] }])
  })

  it('reads a shape with many positions', async () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `${index / 1e6},2`).join(' ')
    const line = `<LineString><coordinates>${many}</coordinates></LineString>`
    const { records } = await read(placemark(line), 2 ** 16)
    expect(JSON.stringify(records[0]?.geometry).match(/,2\]/g)).toHaveLength(200_000)
  })

  it('reads Windows-1252, regardless of its declaration', async () => {
    const bytes = Buffer.from(kml(placemark('<name>Müller</name>')), 'latin1')
    const { records, notices } = await read(bytes)
    expect(records).toMatchObject([{ properties: [['Name', 'Müller']] }])
    expect(notices).toEqual(['Some text is not valid UTF-8 and was read as Windows-1252.'])
  })

  it('is rejected with the position of an error, and if a Placemark is too long', async () => {
    await expect(read(placemark('<name>a</nam>'))).rejects.toThrow(
      /^The KML is invalid at line 1, column \d+: Unexpected close tag\.$/,
    )
    await expect(read(Buffer.from(kml('<Placemark>').slice(0, -6)))).rejects.toThrow(/Unclosed root tag/)
    const long = Buffer.from(kml(placemark(`<name>${'a'.repeat(65 * 2 ** 20)}</name>`)))
    await expect(read(long, 2 ** 20)).rejects.toThrow('a Placemark is longer than 64 MB')
  })
})

describeWithRealData('real KML', () => {
  it('has its own data', async () => {
    const { records } = await read(readFileSync(realDataFile('formats', 'simpledata.kml')))
    expect(records[0]).toMatchObject({
      properties: [
        ['Name', 'Easy trail'],
        ['TrailHeadName', 'Pi in the sky'],
        ['TrailLength', '3.14159'],
        ['ElevationGain', '10'],
      ],
    })
  })
})
