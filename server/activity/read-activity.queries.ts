import { sql } from 'kysely'
import type { ActivityItem } from '#domain/activity/activity.schema.ts'
import { newsDays } from '#domain/activity/activity.schema.ts'
import { actionsWith } from '#domain/activity/activity-rules.ts'
import type { Database } from '../database/database.ts'

export type ActivityPosition = { at: number; id: string }

const dayMs = 86_400_000

const unlistedActions = actionsWith(({ isUnlisted }) => isUnlisted === true)
const managerActions = actionsWith(({ audience }) => audience === 'manager')

export async function listActivity(
  database: Database,
  { mapId, personId, isManager }: { mapId: string; personId: string; isManager: boolean },
  page: { limit: number; after: ActivityPosition | undefined },
): Promise<{ items: ActivityItem[]; unread: number; last: ActivityPosition | null }> {
  const { limit, after } = page
  const { read } = database
  const readAt = await readUntil(database, mapId, personId)
  const mapActivity = read
    .selectFrom('activity')
    .where('map_id', '=', mapId)
    .where('action', 'not in', isManager ? unlistedActions : [...unlistedActions, ...managerActions])
  const rows = await mapActivity
    .select(['id', 'at', 'actor', 'actor_id', 'token_id', 'action', 'subject', 'details'])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(at, id) < (${sql.join([after?.at ?? 0, after?.id ?? ''])})`),
    )
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { unread } = await mapActivity
    .select(({ fn }) => fn.countAll<number>().as('unread'))
    .where('at', '>', readAt)
    .where(({ eb, or }) => or([eb('actor_id', 'is', null), eb('actor_id', '!=', personId)]))
    .executeTakeFirstOrThrow()
  const items = rows
    .slice(0, limit)
    .map(({ id, at, actor, actor_id, token_id, action, subject, details }) => ({
      id,
      at: new Date(at).toISOString(),
      actor,
      tokenId: token_id,
      action,
      subject,
      details: JSON.parse(details),
      isUnread: at > readAt && actor_id !== personId,
    }))
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { items, unread, last: last ? { at: last.at, id: last.id } : null }
}

async function readUntil({ read }: Database, mapId: string, personId: string): Promise<number> {
  const row = await read
    .selectFrom('activity_reads')
    .select('read_at')
    .where('map_id', '=', mapId)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return row?.read_at ?? Date.now() - newsDays * dayMs
}

export async function noteRead(
  database: Database,
  { mapId, personId }: { mapId: string; personId: string },
  at: number,
): Promise<void> {
  const values = { map_id: mapId, person_id: personId, read_at: Math.min(at, Date.now()) }
  await database.write((transaction) =>
    transaction
      .insertInto('activity_reads')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['map_id', 'person_id'])
          .doUpdateSet({ read_at: values.read_at })
          .where('activity_reads.read_at', '<', values.read_at),
      )
      .execute(),
  )
}
