import type { ValuesOf } from '#domain/definition/definition.ts'
import { type maintenancePlanParts, monthLabels } from './maintenance-plan.ts'

// Days are calendar days, YYYY-MM-DD. Today is the day of the association's time zone.

export type MaintenancePlan = ValuesOf<typeof maintenancePlanParts>
export const noPlan: MaintenancePlan = { task: null, everyMonths: null, month: null, firstDue: null }

/** 'due' within this many days, including today; 'overdue' before today. */
const soonDays = 30
const dayMs = 86_400_000

export const dueWords = ['due', 'overdue'] as const
export type DueWord = (typeof dueWords)[number]
export const dueLabels: Record<DueWord, string> = { due: 'Due within 30 days', overdue: 'Overdue' }

export function daysOf(word: DueWord, today: string): { first: string; last: string } {
  if (word === 'overdue') return { first: '0000-01-01', last: dayAfter(today, -1) }
  return { first: today, last: dayAfter(today, soonDays) }
}

export const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

export type Maintained = {
  installDate?: string | null | undefined
  maintenancePlan?: MaintenancePlan | null | undefined
}

/**
 * The next due day of the newest entry; otherwise computed from the plan, counted from that entry. Without
 * entries: the first day of the plan, or counted from the installation. Null without a plan.
 */
export function nextDueOf(
  { installDate = null, maintenancePlan: plan = null }: Maintained,
  newest: { date: string; nextDue: string | null } | undefined,
): string | null {
  if (newest?.nextDue) return newest.nextDue
  if (!plan) return null
  if (newest) return nextOfPlan(plan, newest.date)
  return plan.firstDue ?? (installDate === null ? null : nextOfPlan(plan, installDate))
}

/** Maintenance each May is due by the end of the next May that has not begun on that day. */
function nextOfPlan({ everyMonths, month }: MaintenancePlan, day: string): string | null {
  const [year = 0, monthOfDay = 1, dayOfMonth = 1] = day.split('-').map(Number)
  if (month !== null) {
    const due = Object.keys(monthLabels).indexOf(month) + 1
    return dayIn(due > monthOfDay ? year : year + 1, due, 31)
  }
  return everyMonths === null ? null : dayIn(year, monthOfDay + everyMonths, dayOfMonth)
}

/** Clamped to the last day of the month, which is counted from January of the year. Null beyond the year 9999. */
function dayIn(year: number, month: number, day: number): string | null {
  const [targetYear, targetMonth] = [year + Math.floor((month - 1) / 12), (month - 1) % 12]
  if (targetYear > 9999) return null
  const last = new Date(0)
  last.setUTCFullYear(targetYear, targetMonth + 1, 0)
  const text = `${String(targetYear).padStart(4, '0')}-${String(targetMonth + 1).padStart(2, '0')}`
  return `${text}-${String(Math.min(day, last.getUTCDate())).padStart(2, '0')}`
}
