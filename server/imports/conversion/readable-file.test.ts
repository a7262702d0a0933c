import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeWithRealData } from '#test/real-data.ts'
import { realDataFolder } from '#test/real-data-files.ts'
import { zipOf } from '#test/zip-of.ts'
import { usualImportLimits } from '../../settings/import-limits.ts'
import { type LayerChoice, makeReadable } from './readable-file.ts'
import { type UnpackLimits, unpackZip } from './unpack-zip.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'poa-readable-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function fileOf(name: string, content: string | Buffer): string {
  const path = join(makeFolder(), name)
  writeFileSync(path, content)
  return path
}

const nothing: LayerChoice = { layer: null, projection: null }
const read = (paths: string[], choice: Partial<LayerChoice> = {}) =>
  makeReadable(paths, makeFolder(), { ...nothing, ...choice })

describe('an archive', () => {
  const unpack = (entries: Parameters<typeof zipOf>[0], limits: UnpackLimits = usualImportLimits) =>
    unpackZip(fileOf('a.zip', zipOf(entries)), join(makeFolder(), 'out'), limits)

  it('is unpacked without what nobody needs', async () => {
    const paths = await unpack([
      { name: 'lots/lots.csv', bytes: 'a,b' },
      { name: '__MACOSX/lots/._lots.csv', bytes: 'x' },
    ])
    expect(paths.map((path) => basename(path))).toEqual(['lots.csv'])
    expect(readFileSync(paths[0] ?? '', 'utf8')).toBe('a,b')
  })

  it('is refused where a name leads out of it, where it holds another, or nothing', async () => {
    await expect(unpack([{ name: '../lots.csv', bytes: 'a' }])).rejects.toThrow(
      /archive cannot be read: .*\.\./,
    )
    await expect(unpack([{ name: 'more.zip', bytes: 'a' }])).rejects.toThrow(
      /more.zip is an archive in the archive/,
    )
    await expect(unpack([])).rejects.toThrow('The archive is empty.')
    const twice = { name: 'lots.csv', bytes: 'a' }
    await expect(unpack([twice, twice])).rejects.toThrow(
      'The archive has two files that are called lots.csv.',
    )
  })

  it('is refused where it becomes too much, whatever its headers say', async () => {
    const zeros = Buffer.alloc(4 * 1024 ** 2)
    await expect(unpack([{ name: 'a.csv', bytes: zeros }])).rejects.toThrow(/more than 200 times its size/)
    const limits = { mostEntries: 2, mostUnpackedBytes: 1_000, mostRatio: 1e9 }
    const lying = { name: 'a.csv', deflated: deflateRawSync(Buffer.alloc(5_000)), size: 10 }
    await expect(unpack([lying], limits)).rejects.toThrow(/archive/)
    await expect(unpack([{ name: 'a.csv', bytes: Buffer.alloc(5_000) }], limits)).rejects.toThrow(
      /unpacks to more/,
    )
    const three = ['a', 'b', 'c'].map((name) => ({ name, bytes: name }))
    await expect(unpack(three, limits)).rejects.toThrow('The archive has 3 entries; 2 are the most.')
  })
})

describe('files that our own readers read', () => {
  it('stay as they are, in an archive too', async () => {
    const csv = fileOf('lots.csv', 'id,lat,lon\n1,34,-111\n')
    expect((await read([csv])).chosen?.file).toEqual({ path: csv, totalBytes: 21 })
    const zipped = await read([
      fileOf('a.zip', zipOf([{ name: 'lots.csv', bytes: 'id,lat,lon\n1,34,-111\n' }])),
    ])
    expect(zipped.chosen?.layer).toMatchObject({ id: 'lots.csv', needsProjection: false })
    expect(readFileSync(zipped.chosen?.file?.path ?? '', 'utf8')).toContain('1,34,-111')
  })

  it('are chosen from where there are several', async () => {
    const archive = fileOf(
      'a.zip',
      zipOf(
        ['lots', 'roads'].map((name) => ({ name: `${name}.csv`, bytes: `id,lat,lon\n${name},34,-111\n` })),
      ),
    )
    const { layers, chosen } = await read([archive])
    expect(layers.map(({ id }) => id)).toEqual(['lots.csv', 'roads.csv'])
    expect(chosen).toBeNull()
    expect((await read([archive], { layer: 'roads.csv' })).chosen?.layer.id).toBe('roads.csv')
    const alike = ['a/lots.csv', 'b/lots.csv'].map((name) => ({
      name,
      bytes: `id,lat,lon\n${name},34,-111\n`,
    }))
    const [first, second] = (await read([fileOf('a.zip', zipOf(alike))])).layers
    expect([first?.id, second?.id]).toEqual(['a/lots.csv', 'b/lots.csv'])
  })
})

/** Lines of the converted file. */
const linesOf = (path = '') =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describeWithRealData('files of other formats', () => {
  const real = (name: string) => join(realDataFolder, 'formats', name)

  it('are known by their content, and become GeoJSON in WGS 84', async () => {
    const counties = await read([real('nj_counties.zip')])
    expect(counties.layers).toMatchObject([{ rows: 21, projection: 'NAD83 / New Jersey (ftUS)' }])
    const [atlantic] = linesOf(counties.chosen?.file?.path)
    expect(atlantic.properties).toMatchObject({ COUNTY: 'ATLANTIC', POP2010: 274_549 })
    const [[lng, lat]] = atlantic.geometry.coordinates.flat(atlantic.geometry.type === 'Polygon' ? 1 : 2)
    expect([lng, lat]).toEqual([expect.closeTo(-74.7, 0), expect.closeTo(39.5, 0)])

    // Whatever it is called.
    const renamed = join(makeFolder(), 'countries.csv')
    cpSync(real('countries.fgb'), renamed)
    const countries = await read([renamed])
    expect(countries.layers).toMatchObject([{ rows: 179, geometry: 'MultiPolygon' }])
    expect(linesOf(countries.chosen?.file?.path)[0].geometry.coordinates[0][0][0]).toEqual([
      -59.572095, -80.040179,
    ])

    expect((await read([real('trek.gpx')])).layers.map(({ label }) => label)).toEqual([
      'routes (trek.gpx)',
      'route_points (trek.gpx)',
    ])
    await expect(read([real('example.parquet')])).rejects.toThrow(/is a Parquet file/)
  })

  it('have their parts beside each other, or say which is missing', async () => {
    const folder = join(makeFolder(), 'parts')
    const parts = await unpackZip(real('senate.zip'), folder, usualImportLimits)
    const whole = await read(parts)
    expect(whole.layers).toMatchObject([{ rows: 40, projection: 'NAD83 / Massachusetts Mainland' }])
    const withoutShapes = parts.filter((path) => !path.endsWith('.shp'))
    await expect(read(withoutShapes)).rejects.toThrow(/can be imported\. The \.shp is missing\./)

    // Without its projection it waits until somebody says it.
    for (const path of parts.filter((path) => /\.(prj|xml)$/.test(path))) rmSync(path)
    const left = parts.filter((path) => !/\.(prj|xml)$/.test(path))
    const unplaced = await read(left)
    expect(unplaced).toMatchObject({ chosen: { file: null }, layers: [{ needsProjection: true }] })
    const placed = await read(left, { projection: 'EPSG:26986' })
    const corner = ({ geometry }: { geometry: { coordinates: number[][][] } }) => geometry.coordinates[0]?.[0]
    expect(corner(linesOf(placed.chosen?.file?.path)[0])).toEqual(
      corner(linesOf(whole.chosen?.file?.path)[0]),
    )
    // Said of another layer, it means nothing for one that says it itself.
    const said = await read([real('senate.zip')], { projection: 'EPSG:2223' })
    expect(corner(linesOf(said.chosen?.file?.path)[0])).toEqual(corner(linesOf(whole.chosen?.file?.path)[0]))
    await expect(read(left, { projection: 'EPSG:999999' })).rejects.toThrow(
      'The projection EPSG:999999 is not known.',
    )
  })

  it('say that they are damaged', async () => {
    const geo = readFileSync(real('countries.fgb'))
    await expect(read([fileOf('a.fgb', geo.subarray(0, geo.length / 2))])).rejects.toThrow(
      /a FlatGeobuf, but cannot be read/,
    )
  })
})
