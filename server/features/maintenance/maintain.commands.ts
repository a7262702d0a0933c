import type { EntryValues } from '#domain/maintenance/follow-entries.ts'
import type { MaintenanceEntry, MaintenancePatch } from '#domain/maintenance/maintenance.schema.ts'
import type { Database } from '../../database/database.ts'
import {
  type BadField,
  ConflictError,
  type Expectation,
  expectVersion,
  NotFoundError,
  RefusedError,
} from '../../domain-error.ts'
import type { Change } from '../changes/change-context.ts'
import { changeFeaturesIn } from '../changes/change-features.commands.ts'
import { readEntries, type StoredEntry } from './maintenance-entries.queries.ts'

// Changing an entry changes its asset, with history, activity and undo.

const maxEntries = 1_000

export type Maintained = { version: number; entry: StoredEntry | null }

export type ListedEntry = Omit<EntryValues, 'createdAt' | 'createdBy' | 'importId'>

/** Idempotent: the id of the change is that of the entry. A repeated request returns the current entry. */
export async function addEntry(
  database: Database,
  { mapId, person, changeId: entryId }: Change,
  { id, input }: { id: string; input: ListedEntry },
): Promise<Maintained & { entry: StoredEntry }> {
  const now = Date.now()
  check(input, now)
  const change = { mapId, person, changeId: entryId }
  const { version, entry } = await maintain(database, change, { id, entryId }, (current, count) => {
    if (current) throw new ConflictError(`The asset already has an entry ${entryId}.`)
    if (count >= maxEntries) throw new ConflictError(`An asset can have at most ${maxEntries} entries.`)
    return { ...input, createdAt: now, createdBy: person.name, importId: null }
  })
  if (!entry) throw new ConflictError(`Entry ${entryId} was removed.`)
  return { version, entry }
}

type Named = { id: string; entryId: string; isExpected: Expectation }

export function changeEntry(
  database: Database,
  change: Change,
  { id, entryId, isExpected }: Named,
  patch: MaintenancePatch,
): Promise<Maintained> {
  return maintain(database, change, { id, entryId }, (current) => {
    const { id: _, version, ...values } = expectEntry(current, { id, entryId, isExpected })
    const next = { ...values, ...patch }
    check(next, Date.now(), Object.keys(patch))
    return next
  })
}

export function removeEntry(database: Database, change: Change, named: Named): Promise<Maintained> {
  return maintain(database, change, named, (current) => {
    expectEntry(current, named)
    return null
  })
}

function expectEntry(current: StoredEntry | undefined, { id, entryId, isExpected }: Named): StoredEntry {
  if (!current) throw new NotFoundError(`Asset ${id} has no maintenance entry ${entryId}.`)
  expectVersion(isExpected, current.version, 'The entry', toMaintenanceEntry(current))
  return current
}

function check(
  { date, nextDue }: Pick<EntryValues, 'date' | 'nextDue'>,
  now: number,
  fields: readonly string[] = ['date', 'nextDue'],
) {
  const faults: BadField[] = []
  // The date in the east is ahead of UTC.
  const tomorrow = new Date(now + 86_400_000).toISOString().slice(0, 10)
  if (fields.includes('date') && date > tomorrow)
    faults.push({
      field: 'date',
      reason: 'must not be in the future. Enter planned work as the next due date',
    })
  if ((fields.includes('date') || fields.includes('nextDue')) && nextDue !== null && nextDue <= date)
    faults.push({ field: 'nextDue', reason: 'must be after the date of the work' })
  if (faults.length > 0) throw new RefusedError(faults)
}

function maintain(
  database: Database,
  change: Change,
  { id, entryId }: { id: string; entryId: string },
  decide: (current: StoredEntry | undefined, count: number) => EntryValues | null,
): Promise<Maintained> {
  return database.write(async (transaction) => {
    const operation = { action: 'maintain', id, entryId, decide } as const
    const [outcome] = await changeFeaturesIn(database, transaction, change, [operation])
    if (!outcome?.row || outcome.id !== id) throw new ConflictError('This id belongs to another change.')
    const entries = (await readEntries(transaction, change.mapId, [id])).get(id) ?? []
    return { version: outcome.row.version, entry: entries.find((entry) => entry.id === entryId) ?? null }
  })
}

export function toMaintenanceEntry({ importId: _, createdAt, ...entry }: StoredEntry): MaintenanceEntry {
  return { ...entry, createdAt: new Date(createdAt).toISOString() }
}
