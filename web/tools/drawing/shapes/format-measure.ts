// Section 9 of the specification, 'Units'.

const format = (value: number, digits: number) =>
  value.toLocaleString(undefined, { minimumFractionDigits: digits, maximumFractionDigits: digits })

export function formatArea(squareMeters: number): string {
  if (squareMeters >= 1_000_000) return `${format(squareMeters / 1_000_000, 2)} km²`
  if (squareMeters >= 10_000) return `${format(squareMeters / 10_000, 2)} ha`
  return `${format(squareMeters, squareMeters < 100 ? 1 : 0)} m²`
}

export function formatDistance(meters: number): string {
  if (meters > 1_000) return `${format(meters / 1_000, 2)} km`
  return `${format(meters, meters < 100 ? 1 : 0)} m`
}
