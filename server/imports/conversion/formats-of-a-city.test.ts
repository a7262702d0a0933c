import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import { contextOf } from '#test/imports/import-inputs.ts'
import { describeWithRealData } from '#test/imports/real-data.ts'
import { realDataFile } from '#test/imports/real-data-files.ts'
import { median } from '../../geometry/distances.ts'
import { type Dataset, writeInto } from '../../geometry/gdal.ts'
import { readRecords } from '../formats/read-records.ts'
import { buildRow } from '../mapping/build-row.ts'
import { openGdal } from './gdal.ts'
import { makeReadable } from './readable-file.ts'

// Parcels of one city as other programs write them: in each format and projection the areas match the city's own list.

const parcelsTried = 400
const folder = mkdtempSync(join(tmpdir(), 'poa-city-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type CityParcel = { properties: { ML: string; LandArea: number | null }; geometry: unknown }

function firstParcels(): { path: string; listed: Map<string, number> } {
  const all: CityParcel[] = JSON.parse(
    readFileSync(realDataFile('parcels', 'cambridge-parcels-fy2014-joined.geojson'), 'utf8'),
  ).features
  const some = all
    .filter(({ properties: { LandArea } }) => LandArea && LandArea > 3_000)
    .slice(0, parcelsTried)
  const path = join(folder, 'city.geojson')
  const features = some.map(({ properties: { ML, LandArea }, geometry }) => ({
    type: 'Feature',
    properties: { ML, LandArea },
    geometry,
  }))
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }))
  return { path, listed: new Map(some.map(({ properties }) => [properties.ML, properties.LandArea ?? 0])) }
}

async function writtenAs(
  source: string,
  driver: string,
  name: string,
  projection: string,
): Promise<string[]> {
  const made = mkdtempSync(join(folder, 'made-'))
  const gdal = await openGdal()
  const { datasets } = await gdal.open(source)
  await writeInto(gdal, made, () =>
    gdal.ogr2ogr(datasets[0] as Dataset, ['-f', driver, '-t_srs', projection, '-nln', 'city'], name),
  )
  return readdirSync(made, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name: file }) => join(parentPath, file))
}

async function zipped(paths: readonly string[], root: string): Promise<string> {
  const zip = new ZipFile()
  for (const path of paths) zip.addFile(path, path.slice(path.indexOf(root)))
  zip.end()
  const target = join(mkdtempSync(join(folder, 'zip-')), 'city.zip')
  await pipeline(zip.outputStream, createWriteStream(target))
  return target
}

async function acresOf(paths: readonly string[]): Promise<Map<string, number>> {
  const { chosen } = await makeReadable(paths, mkdtempSync(join(folder, 'work-')), {
    layer: null,
    projection: null,
  })
  const path = chosen?.file?.path ?? ''
  const context = contextOf('parcel', {}, { id: 'ML' })
  const areas = new Map<string, number>()
  for await (const record of readRecords(
    { name: basename(path), chunks: createReadStream(path) },
    () => {},
  )) {
    const row = buildRow(record, context)
    if (row.outcome === 'refused') throw new Error(row.reason)
    if (row.feature.kind === 'parcel') areas.set(row.sourceId ?? '', row.feature.area ?? 0)
  }
  return areas
}

describeWithRealData('the parcels of a city', () => {
  const { path: source, listed } = firstParcels()

  it.each([
    ['a Shapefile in feet of the state', 'ESRI Shapefile', 'city.shp', 'EPSG:2249'],
    ['a GeoPackage in meters of the state', 'GPKG', 'city.gpkg', 'EPSG:26986'],
    ['a FlatGeobuf in meters of a zone', 'FlatGeobuf', 'city.fgb', 'EPSG:26919'],
    ['a File Geodatabase', 'OpenFileGDB', 'city.gdb', 'EPSG:2249'],
    ['KML', 'KML', 'city.kml', 'EPSG:4326'],
    ['a KMZ', 'KML', 'doc.kml', 'EPSG:4326'],
    ['GeoJSON', 'GeoJSON', 'city.geojson', 'EPSG:4326'],
  ])('have their areas in %s', async (what, driver, name, projection) => {
    const files = await writtenAs(source, driver, name, projection)
    const isArchive = what === 'a KMZ' || name.endsWith('.gdb')
    const asTheyAre = await acresOf([source])
    const areas = await acresOf(isArchive ? [await zipped(files, name)] : files)
    expect(areas.size).toBe(listed.size)
    const ratios = [...areas].map(([id, acres]) => (acres * 43_560) / (listed.get(id) ?? Number.NaN))
    const close = (share: number) =>
      ratios.filter((ratio) => Math.abs(ratio - 1) < share).length / ratios.length
    expect(median(ratios)).toBeCloseTo(1, 2)
    expect(close(0.1)).toBeGreaterThan(0.95)
    for (const [id, acres] of areas) expect(acres / (asTheyAre.get(id) ?? Number.NaN), id).toBeCloseTo(1, 4)
  })
})
