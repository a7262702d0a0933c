import type { Database } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import { Pauses } from '../database/pauses.ts'
import { rowsOfFirstPart, rowsOfNextPart } from '../database/row-parts.ts'
import type { FeatureColumns } from '../database/tables.ts'
import type { FeatureFilter } from '../features/lists/feature-filter.ts'
import { type ListPosition, readListPart } from '../features/lists/feature-list.queries.ts'
import { readListPosition, writeListPosition } from '../features/lists/list-page.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { readCursor, wholeNumber, writeCursor } from '../http/cursor.ts'

const mostBytesPerPage = 8_000_000

export type ItemsPosition = { after: ListPosition; total: number }

export function writeItemsPosition({ after, total }: ItemsPosition): string {
  return writeCursor([writeListPosition(after), String(total)])
}

export function readItemsPosition(cursor: string): ItemsPosition {
  const [after, total] = readCursor(cursor, 2)
  return { after: readListPosition(after), total: wholeNumber(total) }
}

/** `next` is null for the last page. Skips features that were removed meanwhile. */
export async function readItems(
  database: Database,
  client: QueueClient,
  filter: FeatureFilter,
  { limit, from }: { limit: number; from: ItemsPosition | undefined },
  mostBytes = mostBytesPerPage,
): Promise<{ rows: FeatureColumns[]; total: number; next: ItemsPosition | null }> {
  const found = await readListPart(database, client, filter, {
    limit,
    after: from?.after,
    total: from?.total,
  })
  const { total } = found
  const rows: FeatureColumns[] = []
  let bytes = 0
  let last = found.isFollowed ? found.rows.at(-1) : undefined
  let size = rowsOfFirstPart
  const pauses = new Pauses()
  for (let start = 0; start < found.rows.length && bytes < mostBytes; ) {
    const part = found.rows.slice(start, start + size)
    const byId = await readRowsOf(
      database.read,
      client.mapId,
      part.map(({ id }) => id),
    )
    for (const position of part) {
      const row = byId.get(position.id)
      if (!row) continue
      rows.push(row)
      bytes += row.geometry.length
      if (bytes < mostBytes) continue
      if (position !== found.rows.at(-1)) last = position
      break
    }
    start += size
    size = rowsOfNextPart(start, bytes)
    await pauses.pause()
  }
  return {
    rows,
    total,
    next: last
      ? {
          after: { kind: last.kind, dateOrder: last.date_order, nameOrder: last.name_order, id: last.id },
          total,
        }
      : null,
  }
}
