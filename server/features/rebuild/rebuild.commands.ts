import { hasField } from '#domain/features/definitions.ts'
import { recordActivity } from '../../activity/activity.queries.ts'
import type { Database } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { lockRanks, thinAnew, updateFeatures } from '../../thinning/write-features.queries.ts'
import { readCustomFields } from '../custom-fields/custom-fields.queries.ts'
import { readEntries } from '../maintenance/maintenance-entries.queries.ts'
import { deriveColumns, kindOfRow } from '../rows/derive-columns.ts'
import { followInRow } from '../rows/feature-row.ts'
import { lockFeatures, readRowsAfter } from '../rows/feature-rows.queries.ts'

const rowsPerPage = 500

export type Rebuilt = { features: number; changed: number }

/**
 * Rebuilds the derived data of a map: each feature by itself, page by page, then totals. Skips correct rows. Can be
 * interrupted between pages and restarted.
 */
export async function rebuildMap(
  database: Database,
  mapId: string,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (rebuilt: Rebuilt) => void } = {},
): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { features: 0, changed: 0 }
  for (let after: string | undefined = ''; after !== undefined; ) {
    signal?.throwIfAborted()
    const page = await rebuildPage(database, mapId, after)
    rebuilt.features += page.features
    rebuilt.changed += page.changed
    after = page.last
    onProgress?.(rebuilt)
  }
  signal?.throwIfAborted()
  await rebuildTogether(database, mapId, rebuilt)
  return rebuilt
}

function rebuildPage(
  database: Database,
  mapId: string,
  after: string,
): Promise<Rebuilt & { last: string | undefined }> {
  return database.write(async (transaction) => {
    await lockRanks(transaction, database.engine, mapId)
    const rows = await readRowsAfter(transaction, mapId, after, rowsPerPage)
    const assets = rows
      .filter((row) => hasField({ kind: kindOfRow(row) }, 'maintenanceHistory'))
      .map(({ id }) => id)
    const entries = await readEntries(transaction, mapId, assets)
    const customFields = await readCustomFields(transaction, mapId)
    const changes = new Map<string, Partial<FeatureColumns>>()
    for (const row of rows) {
      const maintenanceColumns = hasField({ kind: kindOfRow(row) }, 'maintenanceHistory')
        ? { fields: followInRow(row.fields, entries.get(row.id) ?? []) }
        : {}
      const derived = { ...deriveColumns(row, JSON.parse(row.geometry), customFields), ...maintenanceColumns }
      const differing = Object.entries(derived).filter(
        ([column, value]) => row[column as keyof typeof row] !== value,
      )
      if (differing.length > 0) changes.set(row.id, Object.fromEntries(differing))
    }
    const locked = await lockFeatures(database, transaction, mapId, [...changes.keys()])
    const updates = [...locked.values()].map((row) => ({ previous: row, change: changes.get(row.id) ?? {} }))
    await updateFeatures(transaction, database.engine, mapId, updates)
    const last = rows.length === rowsPerPage ? rows.at(-1)?.id : undefined
    return { features: rows.length, changed: changes.size, last }
  })
}

function rebuildTogether(database: Database, mapId: string, { features, changed }: Rebuilt): Promise<void> {
  return database.write(async (transaction) => {
    await lockRanks(transaction, database.engine, mapId)
    await thinAnew(transaction, mapId)
    const activity = { mapId, action: 'features.rebuilt', details: { features, changed } } as const
    await recordActivity(transaction, activity, Date.now())
  })
}
