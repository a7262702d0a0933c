import { type Maintained, nextDueOf } from './due.ts'

// The maintenance fields of an asset follow from its entries; values in a file or request become entries.

export type EntryValues = {
  date: string
  text: string
  performedBy: string | null
  costCents: number | null
  hours: number | null
  nextDue: string | null
  /** Epoch milliseconds. */
  createdAt: number
  createdBy: string | null
  importId: string | null
}

export type Entries = Readonly<Record<string, EntryValues>>

export type ListedEntry = { date: string; description: string }

export type MaintenanceFields = Maintained & {
  lastMaintenance?: string | null | undefined
  maintenanceHistory: readonly ListedEntry[]
}

export type FollowingFields = {
  lastMaintenance: string | null
  maintenanceHistory: ListedEntry[]
  nextDue: string | null
}

const undescribed = 'Maintenance'

export function newestFirst<Entry extends Pick<EntryValues, 'date' | 'text' | 'createdAt'>>(
  entries: readonly Entry[],
): Entry[] {
  return entries.toSorted(
    (a, b) => compare(b.date, a.date) || b.createdAt - a.createdAt || compare(a.text, b.text),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export function listedEntries({ lastMaintenance, maintenanceHistory }: MaintenanceFields): ListedEntry[] {
  const isListed = maintenanceHistory.some(({ date }) => date >= (lastMaintenance ?? ''))
  return lastMaintenance && !isListed
    ? [{ date: lastMaintenance, description: undescribed }, ...maintenanceHistory]
    : [...maintenanceHistory]
}

export function entryOf(
  { date, description }: ListedEntry,
  { createdAt, createdBy, importId }: Pick<EntryValues, 'createdAt' | 'createdBy' | 'importId'>,
): EntryValues {
  const unknown = { performedBy: null, costCents: null, hours: null, nextDue: null }
  return { date, text: description, ...unknown, createdAt, createdBy, importId }
}

export function entriesMissing(
  listed: readonly ListedEntry[],
  entries: readonly EntryValues[],
): ListedEntry[] {
  const nameOf = (date: string, text: string) => JSON.stringify([date, text])
  const there = new Map<string, number>()
  for (const { date, text } of entries) {
    const name = nameOf(date, text)
    there.set(name, (there.get(name) ?? 0) + 1)
  }
  return listed.filter(({ date, description }) => {
    const name = nameOf(date, description)
    const count = there.get(name) ?? 0
    there.set(name, count - 1)
    return count <= 0
  })
}

export function followEntries(asset: Maintained, entries: readonly EntryValues[]): FollowingFields {
  const ordered = newestFirst(entries)
  const [newest] = ordered
  return {
    lastMaintenance: newest?.date ?? null,
    maintenanceHistory: ordered.map(({ date, text }) => ({ date, description: text })),
    nextDue: nextDueOf(asset, newest),
  }
}
