import sharp from 'sharp'
import type { Box } from '#domain/geometry/box.ts'
import type { Geometry, LatLng } from '#domain/geometry/geometry.schema.ts'
import { boxAroundPlace, scaleAt } from '#domain/geometry/scale.ts'

const [width, height] = [528, 264]
const metersAcross = 700

/** The land that the map shows. */
export const boxAround = (place: LatLng): Box =>
  boxAroundPlace(place, metersAcross / 2, (metersAcross * height) / width / 2)

/** Outlines of parcels around a place, as PNG. */
export async function drawSmallMap(place: LatLng, parcels: readonly Geometry[]): Promise<Uint8Array> {
  const [x, y] = scaleAt(place.lat)
  const pixels = width / metersAcross
  const pointOf = ([lng = 0, lat = 0]: readonly number[]) =>
    `${(width / 2 + (lng - place.lng) * x * pixels).toFixed(1)} ${(height / 2 - (lat - place.lat) * y * pixels).toFixed(1)}`
  const pathOf = (ring: readonly (readonly number[])[]) => `M${ring.map(pointOf).join('L')}Z`
  const paths = parcels.map((geometry) => ringsOf(geometry).map(pathOf).join('')).join('')
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#f4f2ec"/>
    <path d="${paths}" fill="#e4ead8" fill-rule="evenodd" stroke="#7a8a63" stroke-width="1.5"/>
    <circle cx="${width / 2}" cy="${height / 2}" r="10" fill="#c92a2a" stroke="#ffffff" stroke-width="3"/>
  </svg>`
  return sharp(Buffer.from(svg)).png({ palette: true }).toBuffer()
}

function ringsOf(geometry: Geometry): readonly (readonly (readonly number[])[])[] {
  if (geometry.type === 'Polygon') return geometry.coordinates
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : []
}
