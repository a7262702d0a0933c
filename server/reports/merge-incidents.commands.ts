import { randomUUID } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { FeatureColumns } from '../database/tables.ts'
import {
  ConflictError,
  type Expectation,
  expectVersion,
  NotFoundError,
  RefusedError,
} from '../domain-error.ts'
import { changeFeaturesIn } from '../features/changes/change-features.commands.ts'
import { readRemoved } from '../features/history/feature-history.queries.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { lockOpenMap, requireOpenMapIn } from '../maps/maps.queries.ts'
import { readToday } from '../maps/time-zone.queries.ts'
import { readMerge } from '../merges/merges.queries.ts'
import { endMerge, mergeIn, readPrevious, unmerge } from './merge.commands.ts'
import { decideReportIn } from './reports.commands.ts'
import { lockReportToMerge } from './reports.queries.ts'

type Request = { mapId: string; id: string; person: Person }

/** Merges an incident on the map into another one. That of a report becomes a duplicate as in triage. */
export async function mergeIncident(
  database: Database,
  { mapId, id, person, isExpected }: Request & { isExpected: Expectation },
  target: string,
): Promise<{ changeId: string; version: number }> {
  const today = await readToday(database, mapId)
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    const report = await lockReportToMerge(database, transaction, { mapId, id })
    const row = (await readRowsOf(transaction, mapId, [id])).get(id)
    if (row?.kind !== 'incident' || row.is_general === 1)
      throw new NotFoundError(`Map ${mapId} has no incident ${id}.`)
    if (target === id) throw new RefusedError('into', 'must be another incident')
    expectVersion(isExpected, row.version, `Incident ${id}`)
    if (report?.state === 'accepted') {
      const decision = { state: 'duplicate', publicNote: report.public_note, duplicateOf: target } as const
      const into = { ...decision, publishesPhotos: false }
      await decideReportIn(database, transaction, { row: report, person, today, field: 'into' }, into)
    } else {
      await changeIncident(database, transaction, { mapId, id, person }, 'remove')
      await lockOpenMap(database, transaction, mapId)
      await mergeIn(transaction, sourceOf(row), { target, field: 'into', person })
    }
    const removed = (await readRemoved(transaction, mapId, [id])).get(id)
    return { changeId: removed?.change_id ?? '', version: removed?.version ?? row.version }
  })
}

const sourceOf = ({ map_id, id, name, description, date, created_at }: FeatureColumns) => ({
  mapId: map_id,
  id,
  title: name,
  description,
  madeAt: date ?? created_at,
  previous: null,
})

/** Restores everything as it was before the merge. */
export async function undoMerge(database: Database, { mapId, id, person }: Request): Promise<void> {
  const today = await readToday(database, mapId)
  return database.write(async (transaction) => {
    await requireOpenMapIn(transaction, mapId)
    const report = await lockReportToMerge(database, transaction, { mapId, id })
    const merge = await readMerge(transaction, { mapId, id })
    if (!merge) throw new NotFoundError(`Incident ${id} is not merged into another one.`)
    const previous = readPrevious(merge)
    if (report && previous) {
      const { state, public_note: publicNote } = previous
      const decision = { state, publicNote, duplicateOf: null, publishesPhotos: false }
      await decideReportIn(database, transaction, { row: report, person, today, field: 'into' }, decision)
      return
    }
    await endMerge(transaction, { mapId, id })
    if (!(await readRowsOf(transaction, mapId, [id])).has(id)) {
      if (!(await readRemoved(transaction, mapId, [id])).has(id))
        throw new ConflictError(
          `Incident ${id} was merged more than 30 days ago, and can no longer be restored.`,
        )
      await changeIncident(database, transaction, { mapId, id, person }, 'restore')
    }
    await lockOpenMap(database, transaction, mapId)
    await unmerge(transaction, merge, person)
  })
}

function changeIncident(
  database: Database,
  transaction: WriteTransaction,
  { mapId, id, person }: Request,
  action: 'remove' | 'restore',
) {
  const operation =
    action === 'remove' ? ({ action, id, isExpected: () => true } as const) : ({ action, id } as const)
  return changeFeaturesIn(database, transaction, { mapId, person, changeId: randomUUID() }, [operation])
}
