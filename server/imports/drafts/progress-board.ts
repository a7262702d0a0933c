import { isImportStep } from '#domain/imports/import-draft.schema.ts'
import type { Database } from '../../database/database.ts'
import type { ImportDraftsTable } from '../../database/tables.ts'
import { settleAttempt } from '../import-drafts.queries.ts'
import type { ImportProgress } from '../import-options.ts'

// How far imports are. On PostgreSQL a row says it, as several servers may be asked. On SQLite there is one server, and it
// could not write while an import does: it keeps it in memory.

/** A row is written so often at most. */
const writeMs = 1_000

const inMemory = new Map<string, ImportProgress>()
const lastWritten = new Map<string, number>()

type OfDraft = Pick<ImportDraftsTable, 'map_id' | 'id' | 'attempt'>
const keyOf = ({ map_id, id }: OfDraft) => `${map_id} ${id}`

/** Null when it is over. */
export function noteProgress(
  database: Database,
  draft: OfDraft & Pick<ImportDraftsTable, 'settings'>,
  progress: ImportProgress | null,
) {
  const key = keyOf(draft)
  if (progress === null) {
    inMemory.delete(key)
    lastWritten.delete(key)
    return
  }
  inMemory.set(key, progress)
  const now = Date.now()
  if (database.engine !== 'postgres' || now - (lastWritten.get(key) ?? 0) < writeMs) return
  lastWritten.set(key, now)
  const said = { progress: JSON.stringify(forPeople(progress)) }
  void database.write((transaction) => settleAttempt(transaction, draft, said)).catch(() => {})
}

/** As the answer tells it; null where nothing is known. A note that was written late says nothing of what is done. */
export function progressOf(draft: OfDraft & Pick<ImportDraftsTable, 'state' | 'progress'>) {
  if (!isImportStep(draft.state)) return null
  const known = inMemory.get(keyOf(draft))
  if (known) return forPeople(known)
  return draft.progress === null ? null : JSON.parse(draft.progress)
}

const forPeople = ({ phase, rows, bytesRead, totalBytes }: ImportProgress) => ({
  phase,
  rows,
  bytesRead,
  totalBytes: totalBytes ?? null,
})
