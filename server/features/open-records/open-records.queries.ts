import type { Person } from '#domain/access/session.schema.ts'
import type { OtherViewer } from '#domain/features/open-record.schema.ts'
import { openExpiresAfterMs } from '#domain/features/open-record.ts'
import type { Database } from '../../database/database.ts'

type OpenRecord = { mapId: string; featureId: string; pageId: string }

/** Pages report every few seconds; the row is updated less often. */
const writtenEveryMs = 30_000

/** Also deletes expired rows. */
export async function noteOpen(
  database: Database,
  { mapId, featureId, pageId }: OpenRecord,
  { person, isEditing }: { person: Person; isEditing: boolean },
  now: number,
): Promise<void> {
  const columns = { person_id: person.id, person_name: person.name, is_editing: isEditing ? 1 : 0 }
  const stored = await database.read
    .selectFrom('open_records')
    .select(['person_id', 'is_editing', 'said_at', 'is_closed'])
    .where('map_id', '=', mapId)
    .where('feature_id', '=', featureId)
    .where('page_id', '=', pageId)
    .executeTakeFirst()
  if (stored?.is_closed === 1) return
  const isSame = stored?.person_id === columns.person_id && stored.is_editing === columns.is_editing
  if (isSame && stored.said_at > now - writtenEveryMs) return
  await database.write(async (transaction) => {
    await transaction
      .deleteFrom('open_records')
      .where('map_id', '=', mapId)
      .where('said_at', '<', now - openExpiresAfterMs)
      .execute()
    await transaction
      .insertInto('open_records')
      .values({
        map_id: mapId,
        feature_id: featureId,
        page_id: pageId,
        ...columns,
        opened_at: now,
        said_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['map_id', 'feature_id', 'page_id'])
          .doUpdateSet({ ...columns, said_at: now })
          .where('open_records.is_closed', '=', 0),
      )
      .execute()
  })
}

/**
 * Only the user who opened the record can close it. It stays closed, because a page that closes can send its last two
 * requests in either order.
 */
export async function noteClosed(
  database: Database,
  { mapId, featureId, pageId }: OpenRecord,
  person: Person,
  now: number,
): Promise<void> {
  await database.write((transaction) =>
    transaction
      .insertInto('open_records')
      .values({
        map_id: mapId,
        feature_id: featureId,
        page_id: pageId,
        person_id: person.id,
        person_name: person.name,
        is_editing: 0,
        opened_at: now,
        said_at: now,
        is_closed: 1,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['map_id', 'feature_id', 'page_id'])
          .doUpdateSet({ said_at: now, is_closed: 1 })
          .where('open_records.person_id', '=', person.id),
      )
      .execute(),
  )
}

export async function readOtherReaders(
  { read }: Database,
  { mapId, featureId, pageId }: OpenRecord,
  person: Person,
  now: number,
): Promise<OtherViewer[]> {
  const rows = await read
    .selectFrom('open_records')
    .select(['person_id', 'person_name', 'is_editing', 'opened_at'])
    .where('map_id', '=', mapId)
    .where('feature_id', '=', featureId)
    .where('page_id', '!=', pageId)
    .where('is_closed', '=', 0)
    .where('said_at', '>=', now - openExpiresAfterMs)
    .orderBy('is_editing', 'desc')
    .orderBy('opened_at')
    .orderBy('page_id')
    .execute()
  const readers = new Map<string, OtherViewer>()
  for (const { person_id, person_name, is_editing, opened_at } of rows)
    if (!readers.has(person_id))
      readers.set(person_id, {
        name: person_name,
        isSelf: person_id === person.id,
        isEditing: is_editing === 1,
        since: new Date(opened_at).toISOString(),
      })
  return [...readers.values()]
}
