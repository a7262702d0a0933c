/** One figure, or why there is none. `limit` is what it must not pass, `atLeast` what it must reach. */
export type Row = {
  figure: string
  /** Undefined where it could not be had. */
  value?: number
  unit: string
  limit?: number
  atLeast?: number
  failed?: string
  /** Another program's: that it failed is its figure, not our fault. */
  isPeer?: boolean
  /** How the figure came about, where that is not plain. */
  note?: string
}

export type Verdict = 'yes' | 'NO' | '' | `failed: ${string}`

/** Whether a figure is what it must be; nothing is said of one that has no limit. */
export function judge({ value, limit, atLeast, failed }: Row): Verdict {
  if (failed !== undefined) return `failed: ${failed}`
  if (limit === undefined && atLeast === undefined) return ''
  const isHeld =
    value !== undefined &&
    (limit === undefined || value <= limit) &&
    (atLeast === undefined || value >= atLeast)
  return isHeld ? 'yes' : 'NO'
}

export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** The smallest of the values that so many per cent do not pass. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const rank = percent === 50 ? Math.floor(sorted.length / 2) : Math.ceil((sorted.length * percent) / 100) - 1
  return sorted[Math.max(0, rank)] ?? Number.NaN
}

export function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits))
}
