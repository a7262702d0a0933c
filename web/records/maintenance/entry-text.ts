import type { MaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { formatCents } from '#web/ui/measures.ts'
import { calendarDay } from '#web/ui/relative-time.ts'

export type EntryContent = Pick<
  MaintenanceEntry,
  'date' | 'text' | 'performedBy' | 'costCents' | 'hours' | 'nextDue'
>

export function entryFacts({ performedBy, costCents, hours, nextDue }: EntryContent): string[] {
  return [
    performedBy,
    costCents === null ? null : formatCents(costCents),
    hours === null ? null : `${formatNumber(hours, 2)} h`,
    nextDue === null ? null : `next due ${calendarDay(nextDue)}`,
  ].filter((fact) => fact !== null)
}

export const entryText = (entry: EntryContent) =>
  [`${calendarDay(entry.date)}: ${entry.text}`, ...entryFacts(entry)].join(' · ')
