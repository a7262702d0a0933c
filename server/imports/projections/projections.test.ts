import { describe, expect, it } from 'vitest'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { openGdal } from '../conversion/gdal.ts'
import { findProjection, openProjection, transformToDegrees } from './find-projection.ts'
import { suggestProjections } from './suggest-projections.ts'

const gdal = await openGdal()

const landAround = (lng: number, lat: number) => ({
  west: lng - 0.1,
  east: lng + 0.1,
  south: lat - 0.1,
  north: lat + 0.1,
})

async function positionsIn(code: string, lng: number, lat: number): Promise<Position[]> {
  const around = [-0.05, 0, 0.05].flatMap((east) =>
    [-0.05, 0, 0.05].map((north) => [lng + east, lat + north]),
  )
  const options = ['-s_srs', 'EPSG:4326', '-t_srs', code, '-output_xy']
  return gdal.gdaltransform(around as [number, number][], options)
}

const [phoenix, boston, juneau] = [
  [-112.07, 33.45],
  [-71.06, 42.36],
  [-134.42, 58.3],
] as const

describe('the suggested projection of a file without one', () => {
  it.each([
    ['feet of the state', 'EPSG:2223', phoenix],
    ['meters of the state', 'EPSG:26949', phoenix],
    ['feet of another state', 'EPSG:2249', boston],
    ['meters of a zone', 'EPSG:26919', boston],
    ['meters of web maps', 'EPSG:3857', boston],
  ] as const)('is found for %s', async (_what, code, [lng, lat]) => {
    const positions = await positionsIn(code, lng, lat)
    const [first] = await suggestProjections(gdal, { positions, land: landAround(lng, lat) })
    expect(first).toMatchObject({ projection: code, kilometersOff: 0 })
  })

  it('of an old datum follows those of current ones if both are on the land', async () => {
    const positions = await positionsIn('EPSG:26712', ...phoenix)
    const request = { positions, land: landAround(...phoenix) }
    const suggested = await suggestProjections(gdal, request, 60_000)
    const codes = suggested.map(({ projection }) => projection)
    expect(codes[0]).toBe('EPSG:26912')
    expect(codes).toContain('EPSG:26712')
    expect(codes).not.toContain('EPSG:32612')
  })

  it('has its distance from the land, nearest first', async () => {
    const request = { positions: [[949_000, 1_110_000] as Position], land: landAround(-111.09, 34.05) }
    const suggested = await suggestProjections(gdal, request, 60_000)
    expect(suggested).toMatchObject([
      { projection: 'EPSG:2223', name: 'NAD83 / Arizona Central (ft)', kilometersOff: 0 },
      { projection: 'EPSG:26749', kilometersOff: 51 },
    ])
  })

  it('tries Web Mercator first, and others only until the time is up', async () => {
    const land = landAround(...boston)
    const inMeters = { positions: await positionsIn('EPSG:3857', ...boston), land }
    expect(await suggestProjections(gdal, inMeters, 0)).toMatchObject([{ projection: 'EPSG:3857' }])
    const inFeet = { positions: await positionsIn('EPSG:2249', ...boston), land }
    expect(await suggestProjections(gdal, inFeet, 0)).toEqual([])
  })

  it('tries the state plane and UTM before projections of continents', async () => {
    const tried: string[] = []
    const counting = {
      ...gdal,
      gdaltransform: async (_positions: unknown, [, code = '']: readonly string[]) => {
        tried.push(code)
        return []
      },
    }
    await suggestProjections(counting, { positions: [[1, 1]], land: landAround(...boston) })
    expect(tried.slice(0, 5).toSorted()).toEqual(
      ['EPSG:3857', 'EPSG:2249', 'EPSG:26919', 'EPSG:26986', 'EPSG:4439'].toSorted(),
    )
    expect(tried.indexOf('EPSG:5070')).toBeGreaterThan(tried.indexOf('EPSG:26719'))
  })

  it('is found if one row has numbers outside the earth', async () => {
    const positions = [...(await positionsIn('EPSG:3857', ...boston)), [1e300, 1e300] as Position]
    const [first] = await suggestProjections(gdal, { positions, land: landAround(...boston) })
    expect(first).toMatchObject({ projection: 'EPSG:3857', kilometersOff: 0 })
  })

  it('is missing if no projection is on the land', async () => {
    const positions = await positionsIn('EPSG:2249', ...boston)
    expect(await suggestProjections(gdal, { positions, land: landAround(...phoenix) })).toEqual([])
    expect(await suggestProjections(gdal, { positions: [], land: landAround(...phoenix) })).toEqual([])
  })
})

describe('a projection that the user selects', () => {
  it.each([
    ['EPSG:2223', phoenix],
    ['EPSG:2249', boston],
    ['EPSG:26986', boston],
    ['EPSG:26912', phoenix],
    ['EPSG:5070', phoenix],
    ['EPSG:26932', juneau],
  ] as const)('%s transforms positions as GDAL does', async (code, [lng, lat]) => {
    const positions = await positionsIn(code, lng, lat)
    const { toDegrees } = openProjection(await findProjection(gdal, code))
    const places = await transformToDegrees(gdal, code, positions)
    for (const [index, [x, y]] of positions.entries()) {
      const [east, north] = toDegrees(x, y)
      expect(east).toBeCloseTo(places[index]?.[0] ?? Number.NaN, 8)
      expect(north).toBeCloseTo(places[index]?.[1] ?? Number.NaN, 8)
    }
  })

  it('is rejected if it is unknown, or proj4 does not support it', async () => {
    await expect(findProjection(gdal, 'EPSG:999999')).rejects.toThrow('Unknown projection EPSG:999999.')
    await expect(findProjection(gdal, 'EPSG:26931')).rejects.toThrow(
      'Tables and GeoJSON in EPSG:26931 are not supported',
    )
  })
})
