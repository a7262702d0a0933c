import { randomUUID } from 'node:crypto'
import type { MaintenancePlan } from '#domain/maintenance/due.ts'
import { entriesMissing, entryOf, type ListedEntry } from '#domain/maintenance/follow-entries.ts'
import type { WriteTransaction } from '../../database/database.ts'
import { type EntryChange, readEntries } from '../../features/maintenance/maintenance-entries.queries.ts'
import { followInRow } from '../../features/rows/feature-row.ts'
import { readMaintained, type StagedRange, writeStaged } from './publish.queries.ts'

/** What becomes known of maintenance. */
export type ArrivingEntries = readonly EntryChange[]

type Fields = { maintenanceHistory: ListedEntry[]; maintenancePlan?: MaintenancePlan | null }

/**
 * An import adds what a file tells of maintenance to what is known of it: no entry is lost or doubled, and a plan stays
 * that the file does not speak of. Call it before rows are compared with what is there: equal rows then say the same. Returns the
 * entries that are new.
 */
export async function keepMaintenance(
  transaction: WriteTransaction,
  range: StagedRange,
  createdAt: number,
): Promise<ArrivingEntries> {
  const { mapId, importId } = range
  const arriving: EntryChange[] = []
  for (let first = range.first; ; ) {
    const rows = await readMaintained(transaction, { ...range, first })
    const last = rows.at(-1)
    if (!last) return arriving
    first = last.row_number + 1
    const known = await readEntries(
      transaction,
      mapId,
      rows.map(({ id }) => id),
    )
    for (const { row_number, id, fields, former, version } of rows) {
      const staged = JSON.parse(fields) as Fields
      const entries = known.get(id) ?? []
      const missing = entriesMissing(staged.maintenanceHistory, entries).map((said) =>
        entryOf(said, { createdAt, createdBy: null, importId }),
      )
      for (const entry of missing)
        arriving.push({ featureId: id, id: randomUUID(), version: (version ?? 0) + 1, entry })
      const { maintenancePlan = null } = former === null ? {} : (JSON.parse(former) as Partial<Fields>)
      const whole = { ...staged, maintenancePlan: staged.maintenancePlan ?? maintenancePlan }
      const followed = followInRow(JSON.stringify(whole), [...entries, ...missing])
      if (followed !== fields) await writeStaged(transaction, range, row_number, { fields: followed })
    }
  }
}
