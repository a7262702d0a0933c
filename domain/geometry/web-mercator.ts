// The Web Mercator plane (EPSG:3857) scaled to the unit square: x grows east, y grows south.

export const maxMercatorLatitude = 85.051_128_779_806_59

export function mercatorX(lng: number): number {
  return (lng + 180) / 360
}

export function mercatorY(lat: number): number {
  const clamped = Math.max(-maxMercatorLatitude, Math.min(maxMercatorLatitude, lat))
  const sine = Math.sin((clamped * Math.PI) / 180)
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
}

export function lngOfMercatorX(x: number): number {
  return x * 360 - 180
}

export function latOfMercatorY(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI
}

/** At the equator: the side of the square. */
export const earthCircumferenceMeters = 40_075_016.685_578_49
