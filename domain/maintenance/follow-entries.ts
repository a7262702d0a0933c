import { type Maintained, nextDueOf } from './due.ts'

// What an asset says of its maintenance follows from the entries; where a file or a sender says it instead, that makes
// the entries.

/** An entry as it is kept beside the asset, under its id. */
export type KeptEntry = {
  date: string
  text: string
  performedBy: string | null
  costCents: number | null
  hours: number | null
  nextDue: string | null
  /** Epoch milliseconds. */
  createdAt: number
  createdBy: string | null
  /** The import that brought it. */
  importId: string | null
}

/** By their ids. */
export type Entries = Readonly<Record<string, KeptEntry>>

/** What the asset itself says of them. */
export type SaidEntry = { date: string; description: string }

/** The fields of an asset that are about its maintenance. */
export type MaintenanceFields = Maintained & {
  lastMaintenance?: string | null | undefined
  maintenanceHistory: readonly SaidEntry[]
}

export type FollowingFields = {
  lastMaintenance: string | null
  maintenanceHistory: SaidEntry[]
  nextDue: string | null
}

/** What is known of maintenance of which only the day is told. */
const untold = 'Maintenance'

/** Newest first: by the day on which it was done, then as it was written down. */
export function newestFirst<Entry extends Pick<KeptEntry, 'date' | 'text' | 'createdAt'>>(
  entries: readonly Entry[],
): Entry[] {
  return entries.toSorted(
    (a, b) => compare(b.date, a.date) || b.createdAt - a.createdAt || compare(a.text, b.text),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The entries that an asset brings along: its history, and a last maintenance that is newer than all of it. */
export function entriesSaid({ lastMaintenance, maintenanceHistory }: MaintenanceFields): SaidEntry[] {
  const isTold = maintenanceHistory.some(({ date }) => date >= (lastMaintenance ?? ''))
  return lastMaintenance && !isTold
    ? [{ date: lastMaintenance, description: untold }, ...maintenanceHistory]
    : [...maintenanceHistory]
}

/** An entry of which no more is known. */
export function entryOf(
  { date, description }: SaidEntry,
  { createdAt, createdBy, importId }: Pick<KeptEntry, 'createdAt' | 'createdBy' | 'importId'>,
): KeptEntry {
  const unknown = { performedBy: null, costCents: null, hours: null, nextDue: null }
  return { date, text: description, ...unknown, createdAt, createdBy, importId }
}

/** Those that are said, but not among the entries: each entry stands for one of them. */
export function entriesMissing(said: readonly SaidEntry[], entries: readonly KeptEntry[]): SaidEntry[] {
  const nameOf = (date: string, text: string) => JSON.stringify([date, text])
  const there = new Map<string, number>()
  for (const { date, text } of entries) {
    const name = nameOf(date, text)
    there.set(name, (there.get(name) ?? 0) + 1)
  }
  return said.filter(({ date, description }) => {
    const name = nameOf(date, description)
    const count = there.get(name) ?? 0
    there.set(name, count - 1)
    return count <= 0
  })
}

/** What the asset says of its entries. */
export function followEntries(asset: Maintained, entries: readonly KeptEntry[]): FollowingFields {
  const ordered = newestFirst(entries)
  const [newest] = ordered
  return {
    lastMaintenance: newest?.date ?? null,
    maintenanceHistory: ordered.map(({ date, text }) => ({ date, description: text })),
    nextDue: nextDueOf(asset, newest),
  }
}
