import { isImportStep } from '#domain/imports/import-draft.schema.ts'
import type { Database } from '../../database/database.ts'
import type { ImportDraftsTable } from '../../database/tables.ts'
import { isOneOfSeveral, onNews, tellServers } from '../../processes/several-servers.ts'
import type { ImportProgress } from '../import-watch.ts'
import { settleAttempt } from './import-drafts.queries.ts'

// The progress of imports. On PostgreSQL it is also written to the draft's row, for other servers. SQLite cannot write
// while an import does: it is in memory only, and the first of several processes tells the servers.

const writeMs = 1_000

/** Bounded: entries are deleted when their step ends. */
const running = new Map<string, { progress: ImportProgress; writtenAt: number }>()

type Attempt = Pick<ImportDraftsTable, 'map_id' | 'id' | 'attempt'>
const topic = 'import-progress'
if (isOneOfSeveral)
  onNews<{ key: string; progress: ImportProgress | null }>(topic, ({ key, progress }) => {
    if (progress) running.set(key, { progress, writtenAt: 0 })
    else running.delete(key)
  })

const keyOf = ({ map_id, id }: Attempt) => `${map_id} ${id}`

export function noteProgress(
  database: Database,
  draft: Attempt & Pick<ImportDraftsTable, 'settings'>,
  progress: ImportProgress | null,
) {
  const key = keyOf(draft)
  tellServers(topic, { key, progress })
  if (progress === null) {
    running.delete(key)
    return
  }
  const now = Date.now()
  const { writtenAt = 0 } = running.get(key) ?? {}
  const isDue = database.engine === 'postgres' && now - writtenAt >= writeMs
  running.set(key, { progress, writtenAt: isDue ? now : writtenAt })
  if (!isDue) return
  const columns = { progress: JSON.stringify(toAnswer(progress)) }
  void database.write((transaction) => settleAttempt(transaction, draft, columns)).catch(() => {})
}

/** Null if no step is running: a late write of progress is ignored. */
export function progressOf(draft: Attempt & Pick<ImportDraftsTable, 'state' | 'progress'>) {
  if (!isImportStep(draft.state)) return null
  const here = running.get(keyOf(draft))
  if (here) return toAnswer(here.progress)
  return draft.progress === null ? null : JSON.parse(draft.progress)
}

const toAnswer = ({ phase, rows, bytesRead, totalBytes }: ImportProgress) => ({
  phase,
  rows,
  bytesRead,
  totalBytes: totalBytes ?? null,
})
