/** The address's `#zoom/lat/lng`; the zoom is the specification's. */
export type Camera = { zoom: number; lat: number; lng: number }

export function writeCamera({ zoom, lat, lng }: Camera): string {
  const digits = Math.max(0, Math.ceil((zoom * Math.LN2 + Math.log(512 / 360 / 0.5)) / Math.LN10))
  return `${Math.round(zoom * 100) / 100}/${lat.toFixed(digits)}/${lng.toFixed(digits)}`
}

/** Undefined if the hash is not a camera. */
export function readCamera(hash: string): Camera | undefined {
  const match = /^#?(\d+(?:\.\d+)?)\/(-?\d+(?:\.\d+)?)\/(-?\d+(?:\.\d+)?)$/.exec(hash)
  if (!match) return undefined
  const [zoom, lat, lng] = match.slice(1).map(Number) as [number, number, number]
  const isPlace = zoom <= 24 && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  return isPlace ? { zoom, lat, lng } : undefined
}
