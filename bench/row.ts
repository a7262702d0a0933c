/** A result, or why there is none. `limit` is the maximum, `atLeast` the minimum. */
export type Row = {
  figure: string
  value?: number
  unit: string
  limit?: number
  atLeast?: number
  failed?: string
  /** Of another program: its failure is a result, not an error. */
  isPeer?: boolean
  note?: string
}

export type Verdict = 'yes' | 'NO' | '' | `failed: ${string}`

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

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  const rank = percent === 50 ? Math.floor(sorted.length / 2) : Math.ceil((sorted.length * percent) / 100) - 1
  return sorted[Math.max(0, rank)] ?? Number.NaN
}

export function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits))
}
