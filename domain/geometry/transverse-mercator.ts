// UTM on the ellipsoid of WGS 84, by the series of Krüger to the fourth order: better than a millimetre within the zones
// beside it. Karney, Transverse Mercator with an accuracy of a few nanometers (2011), equations 7 to 36.

const equatorMeters = 6_378_137
const flattening = 1 / 298.257223563
const scaleInTheMiddle = 0.9996
const eastingInTheMiddle = 500_000
const northingOfEquator = { north: 0, south: 10_000_000 }

const eccentricity = Math.sqrt(flattening * (2 - flattening))
const n = flattening / (2 - flattening)
const radius = (equatorMeters / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64) * scaleInTheMiddle

const toPlane = [
  n / 2 - (2 / 3) * n ** 2 + (5 / 16) * n ** 3 + (41 / 180) * n ** 4,
  (13 / 48) * n ** 2 - (3 / 5) * n ** 3 + (557 / 1440) * n ** 4,
  (61 / 240) * n ** 3 - (103 / 140) * n ** 4,
  (49561 / 161280) * n ** 4,
]
const fromPlane = [
  n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3 - n ** 4 / 360,
  n ** 2 / 48 + n ** 3 / 15 - (437 / 1440) * n ** 4,
  (17 / 480) * n ** 3 - (37 / 840) * n ** 4,
  (4397 / 161280) * n ** 4,
]
/** From the latitude on a sphere of equal angles to that on the ellipsoid. */
const toEllipsoid = [
  2 * n - (2 / 3) * n ** 2 - 2 * n ** 3 + (116 / 45) * n ** 4,
  (7 / 3) * n ** 2 - (8 / 5) * n ** 3 - (227 / 45) * n ** 4,
  (56 / 15) * n ** 3 - (136 / 35) * n ** 4,
  (4279 / 630) * n ** 4,
]

const radians = Math.PI / 180

export type UtmZone = { number: number; half: 'north' | 'south' }

/** Without the exceptions around Norway. */
export function utmZoneOf(lng: number, lat: number): UtmZone {
  const number = Math.min(60, Math.max(1, Math.floor((lng + 180) / 6) + 1))
  return { number, half: lat < 0 ? 'south' : 'north' }
}

const middleOf = ({ number }: UtmZone) => number * 6 - 183

/** Metres east and north. Far from the zone the numbers mean nothing. */
export function toUtm(zone: UtmZone, lng: number, lat: number): [easting: number, northing: number] {
  const fromMiddle = (lng - middleOf(zone)) * radians
  const sine = Math.sin(lat * radians)
  const tangent = Math.sinh(Math.atanh(sine) - eccentricity * Math.atanh(eccentricity * sine))
  const along = Math.atan2(tangent, Math.cos(fromMiddle))
  const across = Math.asinh(Math.sin(fromMiddle) / Math.hypot(tangent, Math.cos(fromMiddle)))
  let [x, y] = [across, along]
  for (const [index, factor] of toPlane.entries()) {
    const turns = 2 * (index + 1)
    y += factor * Math.sin(turns * along) * Math.cosh(turns * across)
    x += factor * Math.cos(turns * along) * Math.sinh(turns * across)
  }
  return [eastingInTheMiddle + radius * x, northingOfEquator[zone.half] + radius * y]
}

/** Degrees; not finite where there is no such place. */
export function fromUtm(zone: UtmZone, easting: number, northing: number): [lng: number, lat: number] {
  const y = (northing - northingOfEquator[zone.half]) / radius
  const x = (easting - eastingInTheMiddle) / radius
  let [along, across] = [y, x]
  for (const [index, factor] of fromPlane.entries()) {
    const turns = 2 * (index + 1)
    along -= factor * Math.sin(turns * y) * Math.cosh(turns * x)
    across -= factor * Math.cos(turns * y) * Math.sinh(turns * x)
  }
  const onSphere = Math.asin(Math.sin(along) / Math.cosh(across))
  let lat = onSphere
  for (const [index, factor] of toEllipsoid.entries()) lat += factor * Math.sin(2 * (index + 1) * onSphere)
  const fromMiddle = Math.atan2(Math.sinh(across), Math.cos(along))
  return [middleOf(zone) + fromMiddle / radians, lat / radians]
}
