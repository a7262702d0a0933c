import type { MaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import { formatCents, formatNumber } from '#web/ui/measures.ts'
import { calendarDay } from '#web/ui/relative-time.ts'

export type ListedEntry = Pick<
  MaintenanceEntry,
  'date' | 'text' | 'performedBy' | 'costCents' | 'hours' | 'nextDue'
>

/** What is known of it beside day and text. */
export function entryFacts({ performedBy, costCents, hours, nextDue }: ListedEntry): string[] {
  return [
    performedBy,
    costCents === null ? null : formatCents(costCents),
    hours === null ? null : `${formatNumber(hours, 2)} h`,
    nextDue === null ? null : `next due ${calendarDay(nextDue)}`,
  ].filter((fact) => fact !== null)
}

/** All that it says in a line, so that each change of it is seen. */
export const sayEntry = (entry: ListedEntry) =>
  [`${calendarDay(entry.date)}: ${entry.text}`, ...entryFacts(entry)].join(' · ')
