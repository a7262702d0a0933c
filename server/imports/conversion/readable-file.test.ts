import { cpSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fileOf, makeFolder, readContent, readFiles } from '#test/imports/readable-files.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { realDataFolder } from '#test/imports/real-data-files.ts'
import { zipOf } from '#test/imports/zip-of.ts'
import { usualImportLimits } from '../../settings/import-limits.ts'
import { type UnpackLimits, unpackZip } from './unpack-zip.ts'

describe('an archive', () => {
  const unpack = (entries: Parameters<typeof zipOf>[0], limits: UnpackLimits = usualImportLimits) =>
    unpackZip(fileOf('a.zip', zipOf(entries)), join(makeFolder(), 'out'), limits)

  it('is unpacked without files of macOS', async () => {
    const paths = await unpack([
      { name: 'lots/lots.csv', bytes: 'a,b' },
      { name: '__MACOSX/lots/._lots.csv', bytes: 'x' },
    ])
    expect(paths.map((path) => basename(path))).toEqual(['lots.csv'])
    expect(readFileSync(paths[0] ?? '', 'utf8')).toBe('a,b')
  })

  const limits = { maxEntries: 2, maxUnpackedBytes: 1_000, maxRatio: 1e9 }
  const [file, zeros] = [{ name: 'lots.csv', bytes: 'a' }, Buffer.alloc(4 * 1024 ** 2)]
  const lying = { name: 'a.csv', deflated: deflateRawSync(Buffer.alloc(5_000)), size: 10 }
  it.each<[string, Parameters<typeof zipOf>[0], RegExp, UnpackLimits?]>([
    [
      'has a name that leads out of it',
      [{ name: '../lots.csv', bytes: 'a' }],
      /archive has an invalid path: .*\.\./,
    ],
    [
      'contains another archive',
      [{ name: 'more.zip', bytes: 'a' }],
      /more.zip is an archive inside the archive/,
    ],
    ['is empty', [], /The archive is empty\./],
    ['has a name twice', [file, file], /The archive has two files named lots.csv\./],
    ['may be a zip bomb', [{ name: 'a.csv', bytes: zeros }], /more than 200 times its size/],
    ['has a header that lies', [lying], /archive/, limits],
    ['becomes too large', [{ name: 'a.csv', bytes: zeros }], /unpacks to more/, limits],
    [
      'has too many entries',
      ['a', 'b', 'c'].map((name) => ({ name, bytes: name })),
      /The archive has 3 entries; at most 2 are allowed\./,
      limits,
    ],
  ])('is rejected if it %s', async (_, entries, message, limits) => {
    await expect(unpack(entries, limits)).rejects.toThrow(message)
  })
})

describe('files that our own readers read', () => {
  const csv = (id: string) => `id,lat,lon\n${id},34,-111\n`
  const archiveOf = (...names: string[]) =>
    fileOf('a.zip', zipOf(names.map((name) => ({ name: `${name}.csv`, bytes: csv(name) }))))

  it('stay unchanged, in an archive too', async () => {
    const path = fileOf('lots.csv', csv('1'))
    expect((await readFiles([path])).chosen?.file).toEqual({ path, totalBytes: 21 })
    const { chosen, text } = await readFiles([archiveOf('lots')])
    expect(chosen?.layer).toMatchObject({ id: 'lots.csv', needsProjection: false })
    expect(text).toBe(csv('lots'))
  })

  it('are selected by the user if there are several', async () => {
    const archive = archiveOf('lots', 'roads')
    const { layers, chosen } = await readFiles([archive])
    expect(layers.map(({ id }) => id)).toEqual(['lots.csv', 'roads.csv'])
    expect(chosen).toBeNull()
    expect((await readFiles([archive], { layer: 'roads.csv' })).chosen?.layer.id).toBe('roads.csv')
    const alike = await readFiles([archiveOf('a/lots', 'b/lots')])
    expect(alike.layers.map(({ id }) => id)).toEqual(['a/lots.csv', 'b/lots.csv'])
  })
})

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describeWithRealData('files of other formats', () => {
  const real = (name: string) => join(realDataFolder, 'formats', name)

  it('are recognized by their content, and become GeoJSON in WGS 84', async () => {
    const counties = await readFiles([real('nj_counties.zip')])
    expect(counties.layers).toMatchObject([{ rows: 21, projection: 'NAD83 / New Jersey (ftUS)' }])
    const [atlantic] = linesOf(counties.text)
    expect(atlantic.properties).toMatchObject({ COUNTY: 'ATLANTIC', POP2010: 274_549 })
    const [[lng, lat]] = atlantic.geometry.coordinates.flat(atlantic.geometry.type === 'Polygon' ? 1 : 2)
    expect([lng, lat]).toEqual([expect.closeTo(-74.7, 0), expect.closeTo(39.5, 0)])

    const renamed = join(makeFolder(), 'countries.csv')
    cpSync(real('countries.fgb'), renamed)
    const countries = await readFiles([renamed])
    expect(countries.layers).toMatchObject([{ rows: 179, geometry: 'MultiPolygon' }])
    expect(linesOf(countries.text)[0].geometry.coordinates[0][0][0]).toEqual([-59.572095, -80.040179])

    expect((await readFiles([real('trek.gpx')])).layers.map(({ label }) => label)).toEqual([
      'routes (trek.gpx)',
      'route_points (trek.gpx)',
    ])
    await expect(readFiles([real('example.parquet')])).rejects.toThrow(/is a Parquet file/)
  })

  it('can be uploaded in parts, and a missing part is named', async () => {
    const folder = join(makeFolder(), 'parts')
    const parts = await unpackZip(real('senate.zip'), folder, usualImportLimits)
    const whole = await readFiles(parts)
    expect(whole.layers).toMatchObject([{ rows: 40, projection: 'NAD83 / Massachusetts Mainland' }])
    const withoutShapes = parts.filter((path) => !path.endsWith('.shp'))
    await expect(readFiles(withoutShapes)).rejects.toThrow(/^Cannot import .*\. The \.shp is missing\./)

    for (const path of parts.filter((path) => /\.(prj|xml)$/.test(path))) rmSync(path)
    const unprojected = parts.filter((path) => !/\.(prj|xml)$/.test(path))
    const unplaced = await readFiles(unprojected)
    expect(unplaced).toMatchObject({ chosen: { file: null }, layers: [{ needsProjection: true }] })
    const placed = await readFiles(unprojected, { projection: 'EPSG:26986' })
    const corner = ({ geometry }: { geometry: { coordinates: number[][][] } }) => geometry.coordinates[0]?.[0]
    expect(corner(linesOf(placed.text)[0])).toEqual(corner(linesOf(whole.text)[0]))
    const projected = await readFiles([real('senate.zip')], { projection: 'EPSG:2223' })
    expect(corner(linesOf(projected.text)[0])).toEqual(corner(linesOf(whole.text)[0]))
    await expect(readFiles(unprojected, { projection: 'EPSG:999999' })).rejects.toThrow(
      'Unknown projection EPSG:999999.',
    )
  })

  it('are rejected if they are damaged', async () => {
    const geo = readFileSync(real('countries.fgb'))
    await expect(readContent('a.fgb', geo.subarray(0, geo.length / 2))).rejects.toThrow(
      /file \(a FlatGeobuf\)/,
    )
  })
})
