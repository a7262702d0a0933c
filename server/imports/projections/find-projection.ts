import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import proj4 from 'proj4'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import type { Extent } from '../../database/database.ts'
import { kilometersTo, type Place } from '../../geometry/distances.ts'
import type { Gdal } from '../../geometry/gdal.ts'
import { withScratchFile } from '../../processes/scratch-file.ts'
import { ImportError } from '../import-error.ts'

/** NAD27 without its grids is as exact as that. */
const toleranceKm = 0.1

export async function defineProjection(gdal: Gdal, code: string): Promise<ProjectionDefinition> {
  // GDAL reads a file in an unknown projection as one in degrees.
  const isInRegister = (await middleOfUse(gdal, code)) !== undefined
  const wkt = isInRegister && (await readDefinition(gdal, code))
  if (wkt) return { code, wkt }
  throw new ImportError(`Unknown projection ${code}.`)
}

/** Also throws for projections that proj4, which transforms single rows, does not transform as GDAL does. */
export async function findProjection(gdal: Gdal, code: string): Promise<ProjectionDefinition> {
  const definition = await defineProjection(gdal, code)
  if (await isSupported(gdal, definition)) return definition
  throw new ImportError(
    `Tables and GeoJSON in ${code} are not supported. Use a GeoPackage, or a Shapefile with its projection.`,
  )
}

async function isSupported(gdal: Gdal, definition: ProjectionDefinition): Promise<boolean> {
  const middle = await middleOfUse(gdal, definition.code)
  if (!middle) return false
  try {
    const position = openProjection(definition).fromDegrees(middle.lng, middle.lat)
    const [place] = await transformToDegrees(gdal, definition.code, [position])
    const [lng, lat] = place as Position
    return kilometersTo({ west: lng, east: lng, south: lat, north: lat }, middle) <= toleranceKm
  } catch {
    // proj4 throws values of many types for projections that it does not support.
    return false
  }
}

/** Longitude and latitude in WGS 84, regardless of the axis order in the register. */
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

/** Reads WKT: GDAL returns the definition of a file that names it. */
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

export type NamedProjection = { code: string; name: string }

export async function projectionsAt(gdal: Gdal, extent: Extent): Promise<NamedProjection[]> {
  const { west, south, east, north } = extent
  const rows = await queryRegister(gdal, projectionsInUse, { west, south, east, north })
  return rows.map(({ code, name }) => ({ code: `EPSG:${code}`, name: String(name) }))
}

/** An area across the date line has a west greater than its east. */
const projectionsInUse = `
  select distinct projected_crs.code, projected_crs.name
  from projected_crs
  join usage
    on usage.object_table_name = 'projected_crs'
    and usage.object_auth_name = projected_crs.auth_name
    and usage.object_code = projected_crs.code
  join extent on extent.auth_name = usage.extent_auth_name and extent.code = usage.extent_code
  where projected_crs.auth_name = 'EPSG' and projected_crs.deprecated = 0
    and extent.south_lat <= :north and extent.north_lat >= :south
    and case
      when extent.west_lon <= extent.east_lon then extent.west_lon <= :east and extent.east_lon >= :west
      else extent.west_lon <= :east or extent.east_lon >= :west
    end
  order by cast(projected_crs.code as integer)`

async function middleOfUse(gdal: Gdal, code: string): Promise<Place | undefined> {
  const [found] = await queryRegister(gdal, areaOfUse, { code: code.replace('EPSG:', '') })
  if (!found) return undefined
  const { west, east, south, north } = found as Record<'west' | 'east' | 'south' | 'north', number>
  const lng = (west + east + (west > east ? 360 : 0)) / 2
  return { lng: lng > 180 ? lng - 360 : lng, lat: (south + north) / 2 }
}

const areaOfUse = `
  select west_lon as west, east_lon as east, south_lat as south, north_lat as north
  from usage
  join extent on extent.auth_name = usage.extent_auth_name and extent.code = usage.extent_code
  where usage.object_table_name in ('projected_crs', 'geodetic_crs')
    and usage.object_auth_name = 'EPSG' and usage.object_code = :code`

export function queryRegister(
  { Module: { FS } }: Gdal,
  query: string,
  values: Record<string, SQLInputValue>,
) {
  return withScratchFile('projections.sqlite', FS.readFile('/usr/share/proj/proj.db'), (path) => {
    const register = new DatabaseSync(path, { readOnly: true })
    try {
      return register.prepare(query).all(values)
    } finally {
      register.close()
    }
  })
}

/** Can be sent to a thread: the code in the EPSG register, and the definition as WKT. */
export type ProjectionDefinition = { code: string; wkt: string }

export type Projection = {
  code: string
  /** Longitude and latitude in WGS 84; not finite outside the projection. */
  toDegrees(x: number, y: number): Position
  fromDegrees(lng: number, lat: number): Position
}

export function openProjection({ code, wkt }: ProjectionDefinition): Projection {
  const { forward, inverse } = proj4(wkt, 'EPSG:4326')
  return {
    code,
    toDegrees: (x, y) => forward([x, y]) as Position,
    fromDegrees: (lng, lat) => inverse([lng, lat]) as Position,
  }
}

type Definition = Pick<ProjectionDefinition, 'wkt'>

export const nameOfProjection = ({ wkt }: Definition) => /^\w+\["([^"]*)"/.exec(wkt)?.[1] ?? 'unnamed'

export function noticesOfProjection(projection: Definition): string[] {
  const inaccurate = (datum: string, meters: number) => [
    `Its projection (${nameOfProjection(projection)}) uses ${datum}, so imported features may be off by up to ${meters} m.`,
  ]
  if (/North American Datum 1927|NAD27/i.test(projection.wkt))
    return inaccurate('NAD27, the datum before 1983', 70)
  const isHarn = /HARN|High Accuracy Reference Network/i.test(projection.wkt)
  return isHarn ? inaccurate('NAD83 HARN', 1) : []
}
