// Sample dates count back from the day on which the data is made, so that 'last week' is never empty.

const dayMs = 86_400_000

/** Midnight UTC of a day, in epoch milliseconds. */
export type Today = number

export function startOfDay(now: Date): Today {
  return Math.floor(now.getTime() / dayMs) * dayMs
}

/** YYYY-MM-DD. */
export function daysAgo(today: Today, days: number): string {
  return instantAgo(today, days).slice(0, 10)
}

/** ISO 8601; `days` may have a fraction. Whole minutes, as people note them. */
export function instantAgo(today: Today, days: number): string {
  return new Date(Math.round((today - days * dayMs) / 60_000) * 60_000).toISOString()
}

export function daysBetween(day: string, today: Today): number {
  return (today - Date.parse(`${day}T00:00:00Z`)) / dayMs
}
