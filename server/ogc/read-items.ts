import type { Database } from '../database/database.ts'
import type { Asker } from '../database/fair-queue.ts'
import type { FeatureColumns } from '../database/tables.ts'
import type { FeatureFilter } from '../features/feature-filter.ts'
import { type ListPosition, readListPart, readRowsOf } from '../features/features.queries.ts'

/** What one answer has room for, in bytes of geometries; what follows is on the next page. */
const roomOfPage = 16_000_000

/** Rows are read in parts, so that no more of them are read than the answer has room for. */
const rowsAtOnce = 500

/** One page in list order. `last` is the last of it, null where none follows. What is gone meanwhile is left out. */
export async function readItems(
  database: Database,
  asker: Asker,
  filter: FeatureFilter,
  page: { limit: number; after: ListPosition | undefined },
  room = roomOfPage,
): Promise<{ rows: FeatureColumns[]; total: number; last: ListPosition | null }> {
  const found = await readListPart(database, asker, filter, page)
  const rows: FeatureColumns[] = []
  let bytes = 0
  let last = found.isFollowed ? found.rows.at(-1) : undefined
  for (let start = 0; start < found.rows.length && bytes < room; start += rowsAtOnce) {
    const part = found.rows.slice(start, start + rowsAtOnce)
    const byId = await readRowsOf(
      database.read,
      asker.mapId,
      part.map(({ id }) => id),
    )
    for (const position of part) {
      const row = byId.get(position.id)
      if (!row) continue
      rows.push(row)
      bytes += row.geometry.length
      if (bytes < room) continue
      if (position !== found.rows.at(-1)) last = position
      break
    }
  }
  return {
    rows,
    total: found.total,
    last: last
      ? { kind: last.kind, dateOrder: last.date_order, nameOrder: last.name_order, id: last.id }
      : null,
  }
}
