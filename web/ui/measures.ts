/** Numbers in the reader's language. */
export function formatNumber(value: number, maximumFractionDigits = 0): string {
  return value.toLocaleString(undefined, { maximumFractionDigits })
}

export function formatAcres(acres: number): string {
  return `${formatNumber(acres, acres < 10 ? 2 : 1)} acres`
}

/** Taxes are those of US counties. */
export function formatDollars(amount: number): string {
  return amount.toLocaleString(undefined, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
}

export function formatPlace({ lat, lng }: { lat: number; lng: number }): string {
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`
}
