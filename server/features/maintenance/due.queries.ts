import { sql } from 'kysely'
import { daysOf } from '#domain/maintenance/due.ts'
import type { DueMaintenance } from '#domain/maintenance/maintenance.schema.ts'
import type { ReadDatabase } from '../../database/database.ts'

type DueRow = {
  id: string
  name: string
  type: string | null
  fields: string
  next_due: string
  updated_at: number
}

function readDueRows(read: ReadDatabase, mapId: string, last: string, limit: number): Promise<DueRow[]> {
  return read
    .selectFrom('features')
    .select(['id', 'name', 'type', 'fields', 'updated_at', sql<string>`next_due`.as('next_due')])
    .where('map_id', '=', mapId)
    .where('next_due', '<=', last)
    .orderBy('next_due')
    .orderBy('id')
    .limit(limit)
    .execute()
}

const taskOf = ({ fields }: DueRow): string | null =>
  (JSON.parse(fields) as { maintenancePlan?: { task: string | null } | null }).maintenancePlan?.task ?? null

export async function readDueMaintenance(
  read: ReadDatabase,
  mapId: string,
  { today, limit }: { today: string; limit: number },
): Promise<DueMaintenance> {
  const [overdue, due] = [daysOf('overdue', today), daysOf('due', today)]
  const count = async ({ first, last }: { first: string; last: string }) => {
    const { total } = await read
      .selectFrom('features')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('map_id', '=', mapId)
      .where('next_due', '>=', first)
      .where('next_due', '<=', last)
      .executeTakeFirstOrThrow()
    return total
  }
  const rows = await readDueRows(read, mapId, due.last, limit)
  return {
    items: rows.map((row) => ({
      id: row.id,
      name: row.name,
      type: row.type,
      task: taskOf(row),
      dueOn: row.next_due,
      isOverdue: row.next_due <= overdue.last,
    })),
    overdue: await count(overdue),
    due: await count(due),
  }
}

/** `updatedAt` is in epoch milliseconds. */
export type CalendarAsset = {
  id: string
  name: string
  task: string | null
  dueOn: string
  updatedAt: number
}

export async function readCalendarAssets(
  read: ReadDatabase,
  mapId: string,
  limit: number,
): Promise<CalendarAsset[]> {
  const rows = await readDueRows(read, mapId, '9999-12-31', limit)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    task: taskOf(row),
    dueOn: row.next_due,
    updatedAt: row.updated_at,
  }))
}
