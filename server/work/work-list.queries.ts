import { sql } from 'kysely'
import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { Severity } from '#domain/incidents/incident-types.ts'
import type { WorkState } from '#domain/incidents/work-states.ts'
import { daysOf } from '#domain/maintenance/due.ts'
import type { WorkItem } from '#domain/work/work.schema.ts'
import type { WorkView } from '#domain/work/work-views.ts'
import type { Database } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'

type Wanted = { view: WorkView; name: string; today: string; limit: number }

/** Open incidents, and assets with maintenance due within 30 days. Reads in a worker: a map may have millions. */
export function readWork(
  database: Database,
  caller: QueueClient,
  { view, name, today, limit }: Wanted,
): Promise<{ items: WorkItem[]; total: number }> {
  const { dialect } = database
  const assignee = dialect.fieldValue(['assignee'], 'text').$castTo<string | null>()
  const state = dialect.fieldValue(['workState'], 'text').$castTo<WorkState | null>()
  const dueDay = dialect.fieldValue(['due'], 'text').$castTo<string | null>()
  const due = sql<string | null>`case when features.kind = 'asset' then features.next_due else ${dueDay} end`
  const isOpen = sql<boolean>`features.kind = 'incident' and features.is_general = 0 and features.status = 'unresolved'`
  const isDue = sql<boolean>`features.kind = 'asset' and features.next_due <= ${daysOf('due', today).last}`
  const conditions = {
    all: sql<boolean>`((${isOpen}) or (${isDue}))`,
    mine: sql<boolean>`(${isOpen} and ${assignee} = ${name})`,
    unassigned: sql<boolean>`(${isOpen} and ${assignee} is null)`,
    overdue: sql<boolean>`((${isOpen}) or (${isDue})) and ${due} < ${today}`,
  }
  return database.readInWorker(caller, async (read) => {
    const matching = read
      .selectFrom('features')
      .where('features.map_id', '=', caller.mapId)
      .where(conditions[view])
    const rows = await matching
      .select(['id', 'kind', 'name', 'description', 'type', 'severity', 'date'])
      .select([assignee.as('assignee'), state.as('state'), due.as('due')])
      .orderBy(sql`coalesce(${due}, '9999')`)
      .orderBy(
        sql`case features.severity when 'high' then 0 when 'medium' then 1 when 'low' then 2 else 3 end`,
      )
      .orderBy(sql`coalesce(features.date, 0)`)
      .orderBy('id')
      .limit(limit)
      .execute()
    const { total } = await matching
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const items = rows.map((row) => ({
      id: row.id,
      kind: row.kind as FeatureKind,
      title: row.name,
      description: row.description.slice(0, 200).toWellFormed(),
      type: row.type,
      severity: row.severity as Severity | null,
      state: row.kind === 'incident' ? row.state : null,
      assignee: row.kind === 'incident' ? row.assignee : null,
      due: row.due,
      isOverdue: row.due !== null && row.due < today,
      since: row.kind === 'incident' && row.date !== null ? new Date(row.date).toISOString() : null,
    }))
    return { items, total: Number(total) }
  })
}
