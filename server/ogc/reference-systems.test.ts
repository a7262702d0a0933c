import proj4 from 'proj4'
import { expect, it } from 'vitest'
import { openGdal } from '../imports/conversion/gdal.ts'
import { queryRegister, readDefinition } from '../imports/projections/find-projection.ts'
import { epsg, statePlanesAt, toPosition, utmAt } from './reference-systems.ts'

const gdal = await openGdal()

/** An oblique Mercator, which proj4 computes differently. */
const unsupported = ['26931']

const degrees = (radians: number) => Number(((radians * 180) / Math.PI).toFixed(10))
const meters = (length: number) => Number(length.toFixed(8))

it('has the state planes of the EPSG register; `-u` updates the file', async () => {
  const rows = await queryRegister(gdal, registerQuery, {})
  const lines: string[] = []
  for (const { code, west, south, east, north } of rows) {
    if (unsupported.includes(String(code))) continue
    const { projName, lat0, lat1, lat2, long0, k0, x0, y0, to_meter } = new proj4.Proj(
      (await readDefinition(gdal, `EPSG:${code}`)) ?? '',
    ) as unknown as Record<'lat0' | 'lat1' | 'lat2' | 'long0' | 'k0' | 'x0' | 'y0' | 'to_meter', number> & {
      projName: string
    }
    const cone = `lcc +lat_0=${degrees(lat0)} +lat_1=${degrees(lat1)} +lat_2=${degrees(lat2)}`
    const how = projName.startsWith('Lambert') ? cone : `tmerc +lat_0=${degrees(lat0)} +k=${k0}`
    const place = `+lon_0=${degrees(long0)} +x_0=${meters(x0)} +y_0=${meters(y0)}`
    const area = [west, south, east, north].join(' ')
    lines.push(`${code} ${area} +proj=${how} ${place} +datum=NAD83 +to_meter=${to_meter}`)
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./state-planes.txt')
})

it.each([
  ['Arizona', -111.09, 34.05, [32_612, 2222, 2223, 26_948, 26_949]],
  ['Massachusetts', -71.06, 42.36, [32_619, 2249, 26_986]],
  ['Fairbanks', -147.72, 64.84, [32_606, 26_933]],
  ['Juneau', -134.42, 58.3, [32_608]],
  ['Unalaska', -166.53, 53.87, [32_603, 26_940]],
  ['Sydney', 151.2, -33.86, [32_756]],
])('projects positions in %s as GDAL does', async (_where, lng, lat, codes) => {
  const systems = [utmAt(lng, lat), ...statePlanesAt(lng, lat)]
  expect(systems.map(({ uri }) => uri)).toEqual(codes.map(epsg))
  for (const [index, { fromLngLat, toLngLat }] of systems.entries()) {
    const options = ['-s_srs', 'EPSG:4326', '-t_srs', `EPSG:${codes[index]}`, '-output_xy']
    const positions = [-0.1, 0, 0.1].map((offset): [number, number] => [lng + offset, lat - offset])
    const expected = await gdal.gdaltransform(positions, options)
    for (const [index, [positionLng, positionLat]] of positions.entries()) {
      const [x, y] = fromLngLat(positionLng, positionLat)
      expect(x).toBeCloseTo(expected[index]?.[0] ?? Number.NaN, 2)
      expect(y).toBeCloseTo(expected[index]?.[1] ?? Number.NaN, 2)
      const [backLng, backLat] = toLngLat(x, y)
      expect(backLng).toBeCloseTo(positionLng, 7)
      expect(backLat).toBeCloseTo(positionLat, 7)
    }
  }
})

it('has 60 UTM zones', () => {
  const codeAt = (lng: number, lat = 0) => Number(utmAt(lng, lat).uri.split('/').at(-1))
  expect([-180, -111.09, -0.1, 0, 179.9, 180].map((lng) => codeAt(lng))).toEqual(
    [1, 12, 30, 31, 60, 60].map((zone) => 32_600 + zone),
  )
  expect([codeAt(0, 1), codeAt(0, -1)]).toEqual([32_631, 32_731])
})

it('has a state plane on both sides of the date line', () => {
  for (const lng of [173.18, -176.63])
    expect(statePlanesAt(lng, 52.5).map(({ uri }) => uri)).toEqual([epsg(26_940)])
})

it('has no state planes in Europe, and no position outside of the earth', () => {
  expect(statePlanesAt(13.4, 52.5)).toEqual([])
  for (const system of [utmAt(-71, 42), ...statePlanesAt(-71.06, 42.36)])
    expect(toPosition(system, 1e300, -1e300)).toBeUndefined()
})

const registerQuery = `
  select cast(projected_crs.code as integer) as code, extent.west_lon as west, extent.south_lat as south,
    extent.east_lon as east, extent.north_lat as north
  from projected_crs
  join conversion
    on conversion.auth_name = projected_crs.conversion_auth_name and conversion.code = projected_crs.conversion_code
  join usage
    on usage.object_table_name = 'projected_crs'
    and usage.object_auth_name = projected_crs.auth_name and usage.object_code = projected_crs.code
  join extent on extent.auth_name = usage.extent_auth_name and extent.code = usage.extent_code
  where projected_crs.auth_name = 'EPSG' and projected_crs.deprecated = 0
    and projected_crs.geodetic_crs_auth_name = 'EPSG' and projected_crs.geodetic_crs_code = '4269'
    and conversion.name like 'SPCS83 %'
  order by 1`
