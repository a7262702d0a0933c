import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { describeWithRealData } from '#test/real-data.ts'
import { realDataFile } from '#test/real-data-files.ts'
import { readKml } from './read-kml.ts'
import type { SourceRecord } from './source-record.ts'

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
  it('gives a row of each Placemark, with all that it says and the folders that it is in', async () => {
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

  it.each<[string, string, object]>([
    [
      'a line',
      '<LineString><coordinates>1,2 3,4</coordinates></LineString>',
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'blanks behind commas',
      '<LineString><coordinates>1, 2, 0\n 3, 4, 0</coordinates></LineString>',
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'a polygon with a hole',
      `<Polygon><outerBoundaryIs>${ring(4)}</outerBoundaryIs><innerBoundaryIs>${ring(1)}</innerBoundaryIs></Polygon>`,
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [4, 0],
            [4, 4],
            [0, 4],
            [0, 0],
          ],
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
            [0, 0],
          ],
        ],
      },
    ],
    [
      'many points',
      `<MultiGeometry>${point}<MultiGeometry>${point}${point}</MultiGeometry></MultiGeometry>`,
      {
        type: 'MultiPoint',
        coordinates: [
          [-111.3, 34.2],
          [-111.3, 34.2],
          [-111.3, 34.2],
        ],
      },
    ],
    [
      'one of many',
      `<MultiGeometry>${point}</MultiGeometry>`,
      { type: 'Point', coordinates: [-111.3, 34.2] },
    ],
    [
      'a point and a line',
      `<MultiGeometry>${point}<LineString><coordinates>1,2 3,4</coordinates></LineString></MultiGeometry>`,
      { type: 'GeometryCollection' },
    ],
    [
      'a track',
      '<gx:Track><when>2020</when><gx:coord>1 2 3</gx:coord><when>2021</when><gx:coord>4 5 6</gx:coord></gx:Track>',
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [4, 5],
        ],
      },
    ],
    [
      'what is no number',
      '<Point><coordinates>here,34.2</coordinates></Point>',
      { type: 'Point', coordinates: ['here', 34.2] },
    ],
    [
      'with a prefix',
      '<x:Point><x:coordinates>1,2</x:coordinates></x:Point>',
      { type: 'Point', coordinates: [1, 2] },
    ],
  ])('reads %s', async (_what, shape, geometry) => {
    const { records } = await read(placemark(shape))
    expect(records).toMatchObject([{ geometry }])
  })

  it('has characters by their numbers beside those that are written', async () => {
    const { records } = await read(placemark('<name>Zoë&#8217;s Müller &#233; 😀</name>'), 1)
    expect(records).toMatchObject([{ properties: [['Name', 'Zoë’s Müller é 😀']] }])
  })

  it('may have a shape of very many positions', async () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `${index / 1e6},2`).join(' ')
    const line = `<LineString><coordinates>${many}</coordinates></LineString>`
    const { records } = await read(placemark(line), 2 ** 16)
    expect(JSON.stringify(records[0]?.geometry).match(/,2\]/g)).toHaveLength(200_000)
  })

  it('may be in Windows-1252, whatever it says', async () => {
    const bytes = Buffer.from(kml(placemark('<name>Müller</name>')), 'latin1')
    const { records, notices } = await read(bytes)
    expect(records).toMatchObject([{ properties: [['Name', 'Müller']] }])
    expect(notices).toEqual(['Some text is not valid UTF-8 and was read as Windows-1252.'])
  })

  it('says where it breaks, and what is too long', async () => {
    await expect(read(placemark('<name>a</nam>'))).rejects.toThrow(
      /^The KML breaks at line 1, column \d+: Unexpected close tag\.$/,
    )
    await expect(read(Buffer.from(kml('<Placemark>').slice(0, -6)))).rejects.toThrow(/Unclosed root tag/)
    const long = Buffer.from(kml(placemark(`<name>${'a'.repeat(65 * 2 ** 20)}</name>`)))
    await expect(read(long, 2 ** 20)).rejects.toThrow('a Placemark is longer than 64 MB')
  })
})

describeWithRealData('real KML', () => {
  it('comes with its own data', async () => {
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
