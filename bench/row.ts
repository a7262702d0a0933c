/** One figure; `limit` is what it must not pass. */
export type Row = { figure: string; value: number; unit: string; limit?: number }

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
