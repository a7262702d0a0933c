import type { Row } from './row.ts'

// The number of features. A smaller number helps during development, but limits are only judged at the count they are
// stated for.

const statedCount = 1_000_000

export const isScaled = process.env.BENCH_FEATURES !== undefined && readLargeCount() !== statedCount

/** The large map, a tenth of it, a typical association, and the small map. */
export const largeCount = readLargeCount()
export const tenthCount = Math.round(largeCount / 10)
export const usualCounts = { tenThousand: 10_000, thousand: 1_000 } as const
export const smallCount = 50

function readLargeCount(): number {
  const count = Number(process.env.BENCH_FEATURES ?? statedCount)
  if (!Number.isInteger(count) || count < 1_000) throw new Error('BENCH_FEATURES must be a number from 1000')
  return count
}

export const countText = (count: number) => count.toLocaleString('en-US')

/** Removes the limits of results at another count. */
export function judgedAtStatedCount(rows: readonly Row[]): Row[] {
  if (!isScaled) return [...rows]
  return rows.map(({ limit, atLeast, ...row }) => {
    const bound = limit ?? atLeast
    if (bound === undefined) return row
    const note = `not judged: ${atLeast === undefined ? 'at most' : 'at least'} ${bound} is meant for ${countText(statedCount)} features`
    return { ...row, note: row.note ? `${row.note}; ${note}` : note }
  })
}
