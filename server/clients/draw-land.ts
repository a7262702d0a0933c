import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { locationOfGeometry, polygonsOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { mercatorX, mercatorY } from '#domain/geometry/web-mercator.ts'

const width = 320
const height = 180
const margin = 12
const ground = '#f3f0e6'
const greens = ['#cfe3b4', '#dce8c0', '#c3d9a5', '#e3eac8', '#bcd3a0']
const outline = '#8a8f7c'

type Place = [x: number, y: number]
type Parcel = { rings: Place[][]; spots: Place[] }

export function drawLand(geometries: readonly Geometry[]): string | null {
  const parcels = geometries.map(readParcel)
  const places = parcels.flatMap(({ rings, spots }) => [...rings.flat(), ...spots])
  if (places.length === 0) return null
  const toPicture = fitInto(places)
  const shapes = greens.map((green, index) => {
    const own = parcels.filter((_, number) => number % greens.length === index)
    const path = own.flatMap(({ rings }) => rings.map((ring) => pathOf(ring.map(toPicture)))).join('')
    const spots = own
      .flatMap((parcel) => parcel.spots.map(toPicture))
      .map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3"/>`)
    return path || spots.length > 0 ? `<g fill="${green}"><path d="${path}"/>${spots.join('')}</g>` : ''
  })
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">` +
    `<rect width="${width}" height="${height}" fill="${ground}"/>` +
    `<g stroke="${outline}" stroke-width=".8" fill-rule="evenodd">${shapes.join('')}</g></svg>`
  )
}

function readParcel(geometry: Geometry): Parcel {
  const onPlane = ([lng, lat]: Position): Place => [mercatorX(lng), mercatorY(lat)]
  const rings = polygonsOfGeometry(geometry).flat()
  const { lng, lat } = locationOfGeometry(geometry)
  return {
    rings: rings.map((ring) => ring.map(onPlane)),
    spots: rings.length > 0 ? [] : [onPlane([lng, lat])],
  }
}

function fitInto(places: readonly Place[]): (place: Place) => Place {
  let [west, north, east, south] = [1, 1, 0, 0]
  for (const [x, y] of places) {
    west = Math.min(west, x)
    east = Math.max(east, x)
    north = Math.min(north, y)
    south = Math.max(south, y)
  }
  const scale = Math.min(
    (width - 2 * margin) / (east - west || 1e-9),
    (height - 2 * margin) / (south - north || 1e-9),
  )
  const round = (value: number) => Math.round(value * 10) / 10
  return ([x, y]) => [
    round(width / 2 + (x - (west + east) / 2) * scale),
    round(height / 2 + (y - (north + south) / 2) * scale),
  ]
}

function pathOf(ring: readonly Place[]): string {
  const points = ring.filter(
    ([x, y], index) => index === 0 || x !== ring[index - 1]?.[0] || y !== ring[index - 1]?.[1],
  )
  return `M${points.map((point) => point.join(' ')).join('L')}Z`
}
