import { removedSince } from '#domain/features/history.schema.ts'
import type { Database } from '../database/database.ts'
import type { FeatureHistoryTable } from '../database/tables.ts'
import { NotFoundError } from '../domain-error.ts'
import { lockRanks } from '../thinning/write-features.queries.ts'
import { type Change, changeFeaturesIn, type Outcome } from './change-features.commands.ts'
import { takeBack } from './changed-fields.ts'
import type { Operation } from './decide-changes.ts'
import { forgetRemoved, readHistoryOfChange, readRemoved } from './feature-history.queries.ts'
import { toNewFeature } from './feature-row.ts'
import { readRowsOf } from './features.queries.ts'

/** `kept` are the ids of features that somebody changed since: they stay as they are. */
export type Undone = { items: Outcome; kept: string[] }

/** Takes a change back: what it added goes, what it removed returns, what it changed is as it was. */
export function undoChange(database: Database, change: Change & { undoes: string }): Promise<Undone> {
  const { mapId, undoes } = change
  return database.write(async (transaction) => {
    await lockRanks(transaction, database.engine, mapId)
    await forgetRemoved(transaction, mapId, removedSince(Date.now()))
    const entries = await readHistoryOfChange(transaction, mapId, undoes)
    if (entries.length === 0) throw new NotFoundError(`Map ${mapId} has no change ${undoes}.`)
    const ids = entries.map((entry) => entry.feature_id)
    const present = await readRowsOf(transaction, mapId, ids)
    const removed = await readRemoved(transaction, mapId, ids)
    const operations = entries.flatMap((entry) => {
      const { feature_id: id, version } = entry
      const row = present.get(id)
      if (entry.action === 'removed')
        return !row && removed.get(id)?.version === version ? [{ action: 'put-back', id } as const] : []
      return row?.version === version ? [reverse(entry, () => toNewFeature(row))] : []
    })
    const isAgain = (await readHistoryOfChange(transaction, mapId, change.changeId)).length > 0
    const items =
      isAgain || operations.length > 0
        ? await changeFeaturesIn(database, transaction, change, operations)
        : []
    const done = new Set(items.map(({ id }) => id))
    return { items, kept: ids.filter((id) => !done.has(id)) }
  })
}

function reverse(
  { feature_id: id, version, action, changed }: FeatureHistoryTable,
  read: () => ReturnType<typeof toNewFeature>,
): Operation {
  const isExpected = (present: number) => present === version
  if (action !== 'changed') return { action: 'remove', id, isExpected }
  return { action: 'replace', id, isExpected, feature: takeBack(read(), JSON.parse(changed)) }
}
