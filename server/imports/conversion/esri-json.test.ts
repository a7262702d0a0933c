import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { usualImportLimits } from '../../settings/import-limits.ts'
import { chunksOfFile, readRecords } from '../formats/read-records.ts'
import { type LayerChoice, makeReadable } from './readable-file.ts'

// Esri JSON and TopoJSON as our own readers get them.

type Shape = { coordinates: unknown[] } | null | undefined

async function read(
  text: string,
  choice: Partial<LayerChoice> = {},
  mostUnpackedBytes = usualImportLimits.mostUnpackedBytes,
) {
  const folder = mkdtempSync(join(tmpdir(), 'poa-esri-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'lots.json')
  writeFileSync(path, text)
  const { layers, chosen } = await makeReadable(
    [path],
    join(folder, 'out'),
    { layer: null, projection: null, ...choice },
    { ...usualImportLimits, mostUnpackedBytes },
  )
  const rows: { properties: Record<string, unknown>; geometry: Shape; id?: unknown }[] = []
  const file = chosen?.file?.path
  if (file !== undefined)
    for await (const { properties, geometry, id } of readRecords(
      { name: basename(file), chunks: chunksOfFile(file) },
      () => {},
    ))
      rows.push({
        properties: Object.fromEntries(properties),
        geometry: geometry as Shape,
        ...(id === undefined ? {} : { id }),
      })
  return { layers, rows }
}

const wgs84 = { wkid: 4326 }
const fields = [
  { name: 'name', type: 'esriFieldTypeString' },
  { name: 'built', type: 'esriFieldTypeDate' },
]
const attributes = { name: 'A', built: 1_577_836_800_000 }
const esri = (geometry: unknown, members: object = {}) =>
  JSON.stringify({ spatialReference: wgs84, fields, features: [{ attributes, geometry }], ...members })
const square = (from: number, to: number) => [
  [from, from],
  [from, to],
  [to, to],
  [to, from],
  [from, from],
]
const hole = square(10.4, 10.6)

describe('Esri JSON', () => {
  it.each([
    ['a point', { x: -71, y: 42 }, { type: 'Point', coordinates: [-71, 42] }],
    ['a point with elevation', { x: -71, y: 42, z: 9, m: 1 }, { type: 'Point', coordinates: [-71, 42] }],
    ['an empty point', { x: 'NaN', y: 'NaN' }, null],
    ['a point of null', { x: null, y: null }, null],
    [
      'points',
      {
        points: [
          [-71, 42],
          [-70, 43],
        ],
      },
      {
        type: 'MultiPoint',
        coordinates: [
          [-71, 42],
          [-70, 43],
        ],
      },
    ],
    [
      'a path',
      {
        paths: [
          [
            [-71, 42],
            [-70, 43],
          ],
        ],
      },
      {
        type: 'LineString',
        coordinates: [
          [-71, 42],
          [-70, 43],
        ],
      },
    ],
    [
      'paths',
      {
        paths: [
          [
            [1, 2],
            [3, 4],
          ],
          [
            [5, 6],
            [7, 8],
          ],
        ],
      },
      {
        type: 'MultiLineString',
        coordinates: [
          [
            [1, 2],
            [3, 4],
          ],
          [
            [5, 6],
            [7, 8],
          ],
        ],
      },
    ],
    ['a ring', { rings: [square(10, 11)] }, { type: 'Polygon', coordinates: [square(10, 11)] }],
    [
      'a ring with a hole, the hole first and both the same way round',
      { rings: [hole, square(10, 11)] },
      { type: 'Polygon', coordinates: [square(10, 11), hole] },
    ],
    [
      'an island in a hole',
      { rings: [square(10, 11), hole, square(10.45, 10.5)] },
      { type: 'MultiPolygon', coordinates: [[square(10, 11), hole], [square(10.45, 10.5)]] },
    ],
    [
      'two parts',
      { rings: [square(10, 11), square(12, 13)] },
      { type: 'MultiPolygon', coordinates: [[square(10, 11)], [square(12, 13)]] },
    ],
    ['no geometry', undefined, null],
    ['an empty object', {}, null],
    ['no rings', { rings: [] }, { type: 'MultiPolygon', coordinates: [] }],
  ])('is read: %s', async (_, geometry, shape) => {
    const { rows } = await read(esri(geometry, { geometryType: 'esriGeometryAny' }))
    expect(rows).toEqual([{ properties: { name: 'A', built: '2020-01-01T00:00:00.000Z' }, geometry: shape }])
  })

  it('needs no list of fields and no type, and keeps every attribute and digit', async () => {
    const text =
      '{"features":[{"geometry":{"x":-71,"y":42},"attributes":{"pin":123456789012345678901,"built":1577836800000}}]}'
    expect((await read(text)).rows).toEqual([
      {
        properties: { pin: '123456789012345678901', built: 1_577_836_800_000 },
        geometry: { type: 'Point', coordinates: [-71, 42] },
      },
    ])
  })

  it('has its fields and its projection behind the features, too', async () => {
    const features = [{ attributes, geometry: { x: -7_903_683, y: 5_160_979 } }]
    const { rows, layers } = await read(
      JSON.stringify({ features, fields, spatialReference: { latestWkid: 3857, wkid: 102100 } }),
    )
    expect(layers[0]).toMatchObject({ label: 'lots', projection: 'WGS 84 / Pseudo-Mercator' })
    expect(rows[0]?.properties.built).toMatch(/^2020-01-01T00:00:00/)
    expect(rows[0]?.geometry?.coordinates[0]).toBeCloseTo(-71, 4)
  })

  const mercator =
    'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]'
  it.each([
    ['latestWkid', { spatialReference: { latestWkid: 3857 } }, {}],
    ['the old number of Web Mercator', { spatialReference: { wkid: 102100 } }, {}],
    ['wkt', { spatialReference: { wkt: mercator } }, {}],
    ['the first geometry', { spatialReference: undefined }, { spatialReference: { wkid: 3857 } }],
  ])('says its projection as %s', async (_, members, ofGeometry) => {
    const { rows } = await read(esri({ x: -7_903_683, y: 5_160_979, ...ofGeometry }, members))
    expect(rows[0]?.geometry?.coordinates[0]).toBeCloseTo(-71, 4)
    expect(rows[0]?.geometry?.coordinates[1]).toBeCloseTo(42, 4)
  })

  it('is in a projection of Esri by its number', async () => {
    const { layers } = await read(esri({ x: 700_000, y: 900_000 }, { spatialReference: { wkid: 102685 } }))
    expect(layers[0]).toMatchObject({ needsProjection: false, projection: expect.stringMatching(/Maryland/) })
  })

  it('waits for its projection if nobody knows the one that it names', async () => {
    const { layers, rows } = await read(esri({ x: 1, y: 2 }, { spatialReference: { wkid: 999_999 } }))
    expect({ needsProjection: layers[0]?.needsProjection, rows }).toEqual({ needsProjection: true, rows: [] })
  })

  it.each(['curvePaths', 'curveRings'])('names the row that has %s', async (member) => {
    const curve = {
      [member]: [
        [
          [-71, 42],
          {
            c: [
              [-70, 43],
              [-70.5, 42.2],
            ],
          },
        ],
      ],
    }
    await expect(read(esri(curve))).rejects.toThrow(
      'Row 1 of the Esri JSON has curves, which cannot be read.',
    )
  })

  it('is a table where it has no places', async () => {
    const text = JSON.stringify({ fields, features: [{ attributes: { name: 'A', lat: 42, lon: -71 } }] })
    expect((await read(text)).rows).toEqual([
      { properties: { name: 'A', lat: 42, lon: -71 }, geometry: undefined },
    ])
  })
})

describe('TopoJSON', () => {
  const ring = [
    [-71, 42],
    [-70.9, 42],
    [-70.9, 42.1],
    [-71, 42],
  ]
  const topology = (objects: object, members: object = {}) =>
    JSON.stringify({ type: 'Topology', objects, arcs: [ring], ...members })
  const collection = (...geometries: object[]) => ({ type: 'GeometryCollection', geometries })

  it.each([
    ['a polygon', { type: 'Polygon', arcs: [[0]] }, { type: 'Polygon', coordinates: [ring] }],
    [
      'the other way round',
      { type: 'Polygon', arcs: [[-1]] },
      { type: 'Polygon', coordinates: [ring.toReversed()] },
    ],
    ['polygons', { type: 'MultiPolygon', arcs: [[[0]]] }, { type: 'MultiPolygon', coordinates: [[ring]] }],
    ['a line', { type: 'LineString', arcs: [0] }, { type: 'LineString', coordinates: ring }],
    ['lines', { type: 'MultiLineString', arcs: [[0]] }, { type: 'MultiLineString', coordinates: [ring] }],
    ['a point', { type: 'Point', coordinates: [-71, 42] }, { type: 'Point', coordinates: [-71, 42] }],
    [
      'points',
      { type: 'MultiPoint', coordinates: [[-71, 42]] },
      { type: 'MultiPoint', coordinates: [[-71, 42]] },
    ],
    ['no place', { type: null }, null],
    [
      'a collection in a collection',
      collection({ type: 'Point', coordinates: [-71, 42] }),
      collection({ type: 'Point', coordinates: [-71, 42] }),
    ],
  ])('is read: %s', async (_, object, geometry) => {
    const { rows } = await read(
      topology({ lots: collection({ ...object, id: 7, properties: { name: 'Lot' } }) }),
    )
    expect(rows).toEqual([{ id: 7, properties: { name: 'Lot' }, geometry }])
  })

  it('is read: quantized, with arcs that follow each other', async () => {
    const text = JSON.stringify({
      type: 'Topology',
      transform: { scale: [0.5, 0.25], translate: [-71, 42] },
      objects: {
        roads: { type: 'LineString', arcs: [0, -2], properties: { name: 'Elm' } },
        poles: collection({ type: 'Point', coordinates: [2, 4] }),
      },
      arcs: [
        [
          [0, 0],
          [2, 0],
        ],
        [
          [4, 4],
          [-2, -4],
        ],
      ],
    })
    const roads = await read(text, { layer: 'roads' })
    expect(roads.layers.map(({ id, label, rows }) => [id, label, rows])).toEqual([
      ['lots.json/roads', 'roads (lots.json)', 1],
      ['lots.json/poles', 'poles (lots.json)', 1],
    ])
    expect(roads.rows).toEqual([
      {
        properties: { name: 'Elm' },
        geometry: {
          type: 'LineString',
          coordinates: [
            [-71, 42],
            [-70, 42],
            [-69, 43],
          ],
        },
      },
    ])
    const poles = await read(text, { layer: 'lots.json/poles' })
    expect(poles.rows[0]?.geometry).toEqual({ type: 'Point', coordinates: [-70, 43] })
  })

  it('keeps every digit, and the coordinates of a projection for the user to name', async () => {
    const text = topology({
      lots: { type: 'Point', coordinates: [-7903683, 5160979], properties: { pin: 'PIN' } },
    }).replace('"PIN"', '123456789012345678901')
    const { rows } = await read(text)
    expect(rows[0]).toMatchObject({
      properties: { pin: '123456789012345678901' },
      geometry: { coordinates: [-7_903_683, 5_160_979] },
    })
  })

  it('cuts a shape that would become too large', async () => {
    const many = { type: 'LineString', arcs: Array.from({ length: 1_000_000 }, () => 0) }
    const { rows } = await read(topology({ lots: many }))
    expect(rows[0]?.geometry?.coordinates.length).toBeLessThan(110_000)
  })

  it('is rejected where its rows become more than an archive may', async () => {
    const many = collection(...Array.from({ length: 1_000 }, () => ({ type: 'Polygon', arcs: [[0]] })))
    await expect(read(topology({ lots: many }), {}, 10_000)).rejects.toThrow('The file becomes more than')
  })
})
