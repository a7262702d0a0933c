import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { Extent } from '../../database/database.ts'
import type { Place } from '../../geometry/distances.ts'
import type { Gdal } from '../../geometry/gdal.ts'
import { withScratchFile } from '../../processes/scratch-file.ts'

/** A projection by its number in the EPSG register, such as 'EPSG:2223', and its name there. */
export type NamedProjection = { code: string; name: string }

/** Where GDAL keeps the register: the database of PROJ. */
const registerInside = '/usr/share/proj/proj.db'

/** The projections that are made for a place: those whose area of use, as the register has it, reaches into the land. */
export async function projectionsAt(
  gdal: Gdal,
  { west, south, east, north }: Extent,
): Promise<NamedProjection[]> {
  const rows = await askRegister(gdal, inUseAt, { west, south, east, north })
  return rows.map(({ code, name }) => ({
    code: `EPSG:${code}`,
    name: String(name),
  }))
}

/** An area over the date line has its west beyond its east. */
const inUseAt = `
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

/** Somewhere in the area of use of a projection, or of degrees of another datum; undefined where there is none of this code. */
export async function middleOfUse(gdal: Gdal, code: string): Promise<Place | undefined> {
  const [found] = await askRegister(gdal, areaOfUse, { code: code.replace('EPSG:', '') })
  if (!found) return undefined
  const [west, east, south, north] = ['west_lon', 'east_lon', 'south_lat', 'north_lat'].map((name) =>
    Number(found[name]),
  ) as [number, number, number, number]
  const lng = (west + east + (west > east ? 360 : 0)) / 2
  return { lng: lng > 180 ? lng - 360 : lng, lat: (south + north) / 2 }
}

const areaOfUse = `
  select extent.*
  from usage
  join extent on extent.auth_name = usage.extent_auth_name and extent.code = usage.extent_code
  where usage.object_table_name in ('projected_crs', 'geodetic_crs')
    and usage.object_auth_name = 'EPSG' and usage.object_code = :code`

/** Asks the database of PROJ in SQL. */
export function askRegister(
  { Module: { FS } }: Gdal,
  question: string,
  values: Record<string, SQLInputValue>,
) {
  return withScratchFile('projections.sqlite', FS.readFile(registerInside), (path) => {
    const register = new DatabaseSync(path, { readOnly: true })
    try {
      return register.prepare(question).all(values)
    } finally {
      register.close()
    }
  })
}
