import type { Position } from '#domain/geometry/geometry.schema.ts'
import { kilometersTo } from '../../geometry/distances.ts'
import type { Gdal } from '../../geometry/gdal.ts'
import { withScratchFile } from '../../processes/scratch-file.ts'
import { ImportError } from '../import-error.ts'
import { openProjection, type ProjectionDefinition } from './projection.ts'
import { middleOfUse } from './projection-register.ts'

/** NAD27 without its grids is as exact as that. */
const exactWithinKm = 0.1

/** What a number of the EPSG register stands for. Throws an ImportError where nobody knows it. */
export async function defineProjection(gdal: Gdal, code: string): Promise<ProjectionDefinition> {
  // A file in what nobody knows counts as one in degrees.
  const isKnown = (await middleOfUse(gdal, code)) !== undefined
  const wkt = isKnown && (await readDefinition(gdal, code))
  if (wkt) return { code, wkt }
  throw new ImportError(`The projection ${code} is not known.`)
}

/**
 * The same for rows that are transformed by proj4, one by one: it does not understand every kind, so it must bring a place
 * where GDAL brings it.
 */
export async function findProjection(gdal: Gdal, code: string): Promise<ProjectionDefinition> {
  const definition = await defineProjection(gdal, code)
  if (await isUnderstood(gdal, definition)) return definition
  throw new ImportError(
    `Rows in ${code} cannot be read from a table or from GeoJSON. As a GeoPackage or a Shapefile that says its projection they can.`,
  )
}

async function isUnderstood(gdal: Gdal, definition: ProjectionDefinition): Promise<boolean> {
  const middle = await middleOfUse(gdal, definition.code)
  if (!middle) return false
  try {
    const position = openProjection(definition).fromDegrees(middle.lng, middle.lat)
    const [place] = await transformToDegrees(gdal, definition.code, [position])
    const [lng, lat] = place as Position
    return kilometersTo({ west: lng, east: lng, south: lat, north: lat }, middle) <= exactWithinKm
  } catch {
    // proj4 throws what it likes at what it does not know.
    return false
  }
}

/** Longitude and latitude in WGS 84, whatever order of axes the register says. */
export function transformToDegrees(
  gdal: Gdal,
  code: string,
  positions: readonly Position[],
): Promise<[number, number][]> {
  return gdal.gdaltransform(
    positions.map(([x, y]) => [x, y]),
    ['-s_srs', code, '-t_srs', 'EPSG:4326', '-output_xy'],
  )
}

/** GDAL tells the definition of what a file is in. */
export function readDefinition(gdal: Gdal, code: string): Promise<string | undefined> {
  const crs = { type: 'name', properties: { name: `urn:ogc:def:crs:${code.replace(':', '::')}` } }
  const feature = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [0, 0] } }
  const file = JSON.stringify({ type: 'FeatureCollection', crs, features: [feature] })
  return withScratchFile('projection.geojson', file, async (path) => {
    const { datasets } = await gdal.open(path)
    const [dataset] = datasets
    if (dataset) await gdal.close(dataset)
    return dataset?.info?.layers?.[0]?.geometryFields?.[0]?.coordinateSystem?.wkt
  })
}
