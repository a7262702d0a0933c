import proj4 from 'proj4'
import { expect, it } from 'vitest'
import { openGdal } from '../imports/conversion/gdal.ts'
import { queryRegister, readDefinition } from '../imports/projections/find-projection.ts'
import { statePlanesAt } from './state-planes.ts'

const gdal = await openGdal()

/** proj4 brings its places elsewhere: it is an oblique Mercator. */
const misunderstood = ['26931']

const degrees = (radians: number) => Number(((radians * 180) / Math.PI).toFixed(10))
const meters = (length: number) => Number(length.toFixed(8))

it('are those of the EPSG register; `-u` writes them anew', async () => {
  const rows = await queryRegister(gdal, ofRegister, {})
  const lines: string[] = []
  for (const { code, west, south, east, north } of rows) {
    if (misunderstood.includes(String(code))) continue
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
  ['Arizona', -111.09, 34.05, [2222, 2223, 26948, 26949]],
  ['Massachusetts', -71.06, 42.36, [2249, 26986]],
  ['Fairbanks', -147.72, 64.84, [26933]],
  ['Juneau', -134.42, 58.3, []],
  ['Unalaska', -166.53, 53.87, [26940]],
])('bring places in %s where GDAL brings them', async (_where, lng, lat, codes) => {
  const planes = statePlanesAt(lng, lat)
  for (const { code, fromLngLat, toLngLat } of planes) {
    const options = ['-s_srs', 'EPSG:4326', '-t_srs', `EPSG:${code}`, '-output_xy']
    const places = [-0.1, 0, 0.1].map((off): [number, number] => [lng + off, lat - off])
    const expected = await gdal.gdaltransform(places, options)
    for (const [index, [placeLng, placeLat]] of places.entries()) {
      const [x, y] = fromLngLat(placeLng, placeLat)
      expect(x, String(code)).toBeCloseTo(expected[index]?.[0] ?? Number.NaN, 2)
      expect(y, String(code)).toBeCloseTo(expected[index]?.[1] ?? Number.NaN, 2)
      const [backLng, backLat] = toLngLat(x, y)
      expect(backLng).toBeCloseTo(placeLng, 8)
      expect(backLat).toBeCloseTo(placeLat, 8)
    }
  }
  expect(planes.map(({ code }) => code)).toEqual(codes)
})

it('are there on both sides of the date line', () => {
  for (const lng of [173.18, -176.63])
    expect(statePlanesAt(lng, 52.5).map(({ code }) => code)).toEqual([26940])
})

it('are none elsewhere, and have no place for what is nowhere', () => {
  expect(statePlanesAt(13.4, 52.5)).toEqual([])
  for (const { toLngLat } of statePlanesAt(-71.06, 42.36)) {
    const [lng, lat] = toLngLat(1e300, -1e300)
    expect(Math.abs(lng) <= 180 && Math.abs(lat) <= 90).toBe(false)
  }
})

const ofRegister = `
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
