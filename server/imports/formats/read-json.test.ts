import { describe, expect, it } from 'vitest'
import { recordsOf } from '#test/imports/import-inputs.ts'

const point = { type: 'Point', coordinates: [-111, 34] }
const feature = { type: 'Feature', id: 7, properties: { a: 1 }, geometry: point }
const record = { rowNumber: 1, properties: [['a', 1]], geometry: point, id: 7, format: 'json' }

describe('readJson', () => {
  it.each([
    ['a collection', { type: 'FeatureCollection', features: [feature] }],
    ['a single feature', feature],
    ['an array of features', [feature]],
  ])('reads %s', async (_, json) => {
    expect((await recordsOf(JSON.stringify(json))).records).toEqual([record])
  })

  it('reads one feature a line', async () => {
    const { records } = await recordsOf(`${JSON.stringify(feature)}\n${JSON.stringify(feature)}\n`)
    expect(records).toEqual([record, { ...record, rowNumber: 2 }])
  })

  it('reads a bare geometry, alone and in an array', async () => {
    const bare = { rowNumber: 1, properties: [], geometry: point, format: 'json' }
    expect((await recordsOf(JSON.stringify(point))).records).toEqual([bare])
    expect((await recordsOf(JSON.stringify([point]))).records).toEqual([bare])
  })

  it('reads an array of records', async () => {
    const { records } = await recordsOf('[{"Latitude":34,"Longitude":-111,"__proto__":5}]')
    expect(records[0]?.geometry).toBeUndefined()
    expect(records[0]?.properties).toEqual([
      ['Latitude', 34],
      ['Longitude', -111],
      ['__proto__', 5],
    ])
  })

  it('distinguishes a null geometry from none', async () => {
    const { records } = await recordsOf('[{"type":"Feature","properties":null,"geometry":null}]')
    expect(records[0]).toMatchObject({ geometry: null, properties: [] })
  })

  it('reads an empty collection', async () => {
    expect((await recordsOf('{"type":"FeatureCollection","features":[]}')).records).toEqual([])
  })

  it.each([
    ['{"type":"FeatureCollection","features":[5]}', 'it is 5 instead of a feature'],
    [
      '{"type":"FeatureCollection","features":[{"type":"Featre"}]}',
      'its type is "Featre" instead of "Feature"',
    ],
    ['[{"type":"Feature","properties":[1],"geometry":null}]', 'its properties are [1] instead of an object'],
    ['[3]', 'it is 3 instead of a feature or a record'],
  ])('%s: %s', async (text, problem) => {
    expect((await recordsOf(text)).records[0]?.problem).toBe(problem)
  })

  it.each([
    ['{"type":"FeatureCollection"}', 'is a FeatureCollection without an array of features'],
    ['{"type":"FeatureCollection","features":{}}', 'is a FeatureCollection without an array of features'],
    ['{"type":"featurecollection","features":[{}]}', 'has features, but its type is "featurecollection"'],
    ['{"type":"Topology","objects":{}}', 'is TopoJSON'],
  ])('%s: %s', async (text, message) => {
    await expect(recordsOf(text)).rejects.toThrow(message)
  })

  it('is not recognized by its file name alone', async () => {
    await expect(recordsOf('null', 'parcels.geojson')).rejects.toThrow('The file is null. It must be GeoJSON')
    await expect(recordsOf('"text"', 'parcels.json')).rejects.toThrow('The file is "text"')
  })

  it.each([
    { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } },
    { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4326' } },
    { type: 'name', properties: { name: 'EPSG:4326' } },
    null,
  ])('accepts WGS 84 as the reference system: %j', async (crs) => {
    const json = JSON.stringify({ type: 'FeatureCollection', crs, features: [feature] })
    expect((await recordsOf(json)).records).toHaveLength(1)
  })

  it.each([
    { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::26986' } },
    { type: 'name', properties: { name: 'EPSG:43260' } },
    { type: 'link', properties: { href: 'http://example.com/crs/42' } },
  ])('rejects a file in another reference system: %j', async (crs) => {
    const before = JSON.stringify({ type: 'FeatureCollection', crs, features: [feature] })
    const after = JSON.stringify({ type: 'FeatureCollection', features: [feature], crs })
    await expect(recordsOf(before)).rejects.toThrow('instead of WGS 84')
    await expect(recordsOf(after)).rejects.toThrow('instead of WGS 84')
  })

  it('reads single features that are not UTF-8 as Windows-1252, with one notice', async () => {
    const json = Buffer.from('[{"n":"caf\u00e9"},{"n":"\u00c3\u00a9"},{"n":"\u00e9"}]', 'latin1')
    const { records, notices } = await recordsOf(json)
    expect(records.map(({ properties }) => properties[0]?.[1])).toEqual(['café', 'é', 'é'])
    expect(notices).toEqual(['Some text is not valid UTF-8 and was read as Windows-1252.'])
  })

  it('keeps every digit of whole numbers', async () => {
    const text =
      '{"type":"Feature","id":253418300000000011,"geometry":null,"properties":{"no":-253418300000000012,"list":[253418300000000013],"safe":9007199254740991,"part":0.1234567890123456,"text":"1: 253418300000000011"}}'
    const { records } = await recordsOf(`{"type":"FeatureCollection","features":[${text}]}`)
    expect(records).toMatchObject([{ id: '253418300000000011' }])
    expect(Object.fromEntries(records[0]?.properties ?? [])).toEqual({
      no: '-253418300000000012',
      list: ['253418300000000013'],
      safe: 9_007_199_254_740_991,
      part: 0.123_456_789_012_345_6,
      text: '1: 253418300000000011',
    })
  })
})
