import { describe, expect, it } from 'vitest'
import { readContent, recordsAt } from '#test/imports/readable-files.ts'
import { readWkt } from '../formats/well-known-shapes.ts'
import type { LayerChoice } from './readable-file.ts'

type Row = { properties: Record<string, unknown>; geometry: { coordinates: unknown[] } | null; id?: unknown }

async function read(text: string, choice: Partial<LayerChoice> = {}, limits = {}) {
  const { layers, path } = await readContent('lots.json', text, choice, limits)
  const rows = (await recordsAt(path)).map(({ properties, geometry, id }) => ({
    properties: Object.fromEntries(properties),
    geometry: geometry as Row['geometry'],
    ...(id === undefined ? {} : { id }),
  }))
  return { layers, rows }
}

const coordinates = (text: string) => readWkt(text)?.coordinates as number[][]

describe('Esri JSON', () => {
  const fields = [
    { name: 'name', type: 'esriFieldTypeString' },
    { name: 'built', type: 'esriFieldTypeDate' },
  ]
  const attributes = { name: 'A', built: 1_577_836_800_000 }
  const esri = (geometry: unknown, members: object = {}) =>
    JSON.stringify({
      spatialReference: { wkid: 4326 },
      fields,
      features: [{ attributes, geometry }],
      ...members,
    })
  const ring = (from: number, to: number) =>
    coordinates(`LINESTRING (${from} ${from}, ${from} ${to}, ${to} ${to}, ${to} ${from}, ${from} ${from})`)
  const [one, hole, island, other] = [ring(10, 11), ring(10.4, 10.6), ring(10.45, 10.5), ring(12, 13)]
  const line = coordinates('LINESTRING (-71 42, -70 43)')

  it.each([
    ['a point', { x: -71, y: 42 }, readWkt('POINT (-71 42)')],
    ['a point with elevation', { x: -71, y: 42, z: 9, m: 1 }, readWkt('POINT (-71 42)')],
    ['an empty point', { x: 'NaN', y: 'NaN' }, null],
    ['a point of null', { x: null, y: null }, null],
    ['points', { points: line }, { type: 'MultiPoint', coordinates: line }],
    ['a path', { paths: [line] }, { type: 'LineString', coordinates: line }],
    ['paths', { paths: [line, line] }, { type: 'MultiLineString', coordinates: [line, line] }],
    ['a ring', { rings: [one] }, { type: 'Polygon', coordinates: [one] }],
    ['a hole before its ring, in the same direction', { rings: [hole, one] }, { coordinates: [one, hole] }],
    ['an island in a hole', { rings: [one, hole, island] }, { coordinates: [[one, hole], [island]] }],
    ['two parts', { rings: [one, other] }, { type: 'MultiPolygon', coordinates: [[one], [other]] }],
    ['no geometry', undefined, null],
    ['an empty object', {}, null],
    ['no rings', { rings: [] }, { type: 'MultiPolygon', coordinates: [] }],
  ])('is read: %s', async (_, geometry, shape) => {
    const { rows } = await read(esri(geometry, { geometryType: 'esriGeometryAny' }))
    expect(rows).toMatchObject([
      { properties: { name: 'A', built: '2020-01-01T00:00:00.000Z' }, geometry: shape },
    ])
  })

  it('needs no fields and no type, and keeps every attribute and digit', async () => {
    const text =
      '{"features":[{"geometry":{"x":-71,"y":42},"attributes":{"pin":123456789012345678901,"built":1577836800000}}]}'
    expect((await read(text)).rows).toEqual([
      {
        properties: { pin: '123456789012345678901', built: 1_577_836_800_000 },
        geometry: { type: 'Point', coordinates: [-71, 42] },
      },
    ])
  })

  const mercator =
    'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]'
  const inMeters = { x: -7_903_683, y: 5_160_979 }
  it.each([
    ['latestWkid', esri(inMeters, { spatialReference: { latestWkid: 3857 } })],
    ['an old number of Web Mercator', esri(inMeters, { spatialReference: { wkid: 102100 } })],
    ['wkt', esri(inMeters, { spatialReference: { wkt: mercator } })],
    [
      'the first geometry',
      esri({ ...inMeters, spatialReference: { wkid: 3857 } }, { spatialReference: undefined }),
    ],
    [
      'a member after the features',
      JSON.stringify({
        features: [{ attributes, geometry: inMeters }],
        fields,
        spatialReference: { wkid: 3857 },
      }),
    ],
  ])('has its projection in %s', async (_, text) => {
    const [row] = (await read(text)).rows
    expect(row?.properties.built).toMatch(/^2020-01-01T00:00:00/)
    expect(row?.geometry?.coordinates).toEqual([expect.closeTo(-71, 4), expect.closeTo(42, 4)])
  })

  it('can have a projection of Esri, but none that is unknown', async () => {
    const esriProjection = await read(
      esri({ x: 700_000, y: 900_000 }, { spatialReference: { wkid: 102685 } }),
    )
    expect(esriProjection.layers).toMatchObject([
      { needsProjection: false, projection: expect.stringMatching(/Maryland/) },
    ])
    const unknown = await read(esri({ x: 1, y: 2 }, { spatialReference: { wkid: 999_999 } }))
    expect(unknown).toMatchObject({ layers: [{ needsProjection: true }], rows: [] })
  })

  it.each(['curvePaths', 'curveRings'])('is rejected with the row of %s', async (member) => {
    await expect(read(esri({ [member]: [[[-71, 42], { c: line }]] }))).rejects.toThrow(
      'Row 1 of the Esri JSON has curves, which are not supported.',
    )
  })

  it('is a table if it has no geometry', async () => {
    const properties = { name: 'A', lat: 42, lon: -71 }
    expect((await read(JSON.stringify({ fields, features: [{ attributes: properties }] }))).rows).toEqual([
      { properties, geometry: undefined },
    ])
  })
})

describe('TopoJSON', () => {
  const ring = coordinates('LINESTRING (-71 42, -70.9 42, -70.9 42.1, -71 42)')
  const topology = (objects: object, members: object = {}) =>
    JSON.stringify({ type: 'Topology', objects, arcs: [ring], ...members })
  const collection = (...geometries: object[]) => ({ type: 'GeometryCollection', geometries })
  const point = { type: 'Point', coordinates: [-71, 42] }
  const polygon = { type: 'Polygon', arcs: [[0]] }

  it.each([
    ['a polygon', polygon, { type: 'Polygon', coordinates: [ring] }],
    ['a reversed arc', { type: 'Polygon', arcs: [[-1]] }, { coordinates: [ring.toReversed()] }],
    ['polygons', { type: 'MultiPolygon', arcs: [[[0]]] }, { type: 'MultiPolygon', coordinates: [[ring]] }],
    ['a line', { type: 'LineString', arcs: [0] }, { type: 'LineString', coordinates: ring }],
    ['lines', { type: 'MultiLineString', arcs: [[0]] }, { type: 'MultiLineString', coordinates: [ring] }],
    ['a point', point, point],
    ['points', { type: 'MultiPoint', coordinates: [[-71, 42]] }, { type: 'MultiPoint' }],
    ['no geometry', { type: null }, null],
    ['a nested collection', collection(point), collection(point)],
  ])('is read: %s', async (_, object, geometry) => {
    const { rows } = await read(
      topology({ lots: collection({ ...object, id: 7, properties: { name: 'Lot' } }) }),
    )
    expect(rows).toMatchObject([{ id: 7, properties: { name: 'Lot' }, geometry }])
  })

  it('can be quantized, with arcs that follow each other', async () => {
    const text = topology(
      {
        roads: { type: 'LineString', arcs: [0, -2], properties: { name: 'Elm' } },
        poles: collection({ type: 'Point', coordinates: [2, 4] }),
      },
      {
        transform: { scale: [0.5, 0.25], translate: [-71, 42] },
        arcs: [coordinates('LINESTRING (0 0, 2 0)'), coordinates('LINESTRING (4 4, -2 -4)')],
      },
    )
    const roads = await read(text, { layer: 'roads' })
    expect(roads.layers.map(({ id, label, rows }) => [id, label, rows])).toEqual([
      ['lots.json/roads', 'roads (lots.json)', 1],
      ['lots.json/poles', 'poles (lots.json)', 1],
    ])
    expect(roads.rows).toEqual([
      { properties: { name: 'Elm' }, geometry: readWkt('LINESTRING (-71 42, -70 42, -69 43)') },
    ])
    const poles = await read(text, { layer: 'lots.json/poles' })
    expect(poles.rows[0]?.geometry).toEqual(readWkt('POINT (-70 43)'))
  })

  it('keeps every digit, and coordinates in a projection', async () => {
    const inMeters = { type: 'Point', coordinates: [-7_903_683, 5_160_979] }
    const text = topology({ lots: { ...inMeters, properties: { pin: 'PIN' } } })
    expect((await read(text.replace('"PIN"', '123456789012345678901'))).rows).toMatchObject([
      { properties: { pin: '123456789012345678901' }, geometry: inMeters },
    ])
  })

  it('has limits for the size of a shape and of the converted file', async () => {
    const long = { type: 'LineString', arcs: Array.from({ length: 1_000_000 }, () => 0) }
    const { rows } = await read(topology({ lots: long }))
    expect(rows[0]?.geometry?.coordinates.length).toBeLessThan(110_000)
    const many = topology({ lots: collection(...Array.from({ length: 1_000 }, () => polygon)) })
    await expect(read(many, {}, { maxUnpackedBytes: 10_000 })).rejects.toThrow('The file becomes larger than')
  })
})
