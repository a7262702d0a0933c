import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { FeatureSummary } from '#domain/features/feature.schema.ts'
import { startOfUtcDay, typesByKind } from '#domain/features/filters.ts'
import { featureKinds } from '#domain/features/kinds.ts'
import { searchWords } from '#domain/features/text.ts'
import type { Database } from '../database/database.ts'
import type { FeatureColumns, Tables } from '../database/tables.ts'
import type { FeatureFilter } from './feature-filter.ts'

type FeatureSelection<Output> = SelectQueryBuilder<Tables, 'features', Output>
export type ListPosition = [kind: string, listOrder: string, id: string]

/** A list shows the first 60 characters; this leaves room for other readers without sending whole reports. */
const summaryDescriptionLength = 400

/** One page in list order, the exact total under the same filter, and where the page ended. */
export async function listFeatures(
  database: Database,
  mapId: string,
  filter: FeatureFilter,
  page: { limit: number; after: ListPosition | undefined },
): Promise<{ items: FeatureSummary[]; total: number; last: ListPosition | null }> {
  const matching = matchingFeatures(database, mapId, filter)
  const { after } = page
  const rows = await matching
    .select([
      'id',
      'kind',
      'shape',
      'name',
      'type',
      'status',
      'severity',
      'date',
      'lng',
      'lat',
      'version',
      'list_order',
    ])
    .select(sql<string>`substr(description, 1, ${sql.lit(summaryDescriptionLength)})`.as('description'))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(kind, list_order, id) > (${sql.join(after ?? [])})`),
    )
    .orderBy('kind')
    .orderBy('list_order')
    .orderBy('id')
    .limit(page.limit + 1)
    .execute()
  const { total } = await matching
    .select((expressions) => expressions.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const items = rows.slice(0, page.limit)
  const last = rows.length > page.limit ? items.at(-1) : undefined
  return { items: items.map(toSummary), total, last: last ? [last.kind, last.list_order, last.id] : null }
}

function matchingFeatures(
  database: Database,
  mapId: string,
  filter: FeatureFilter,
): FeatureSelection<unknown> {
  const { kind, type, status, severity, since, bbox, text } = filter
  let query = database.read.selectFrom('features').where('map_id', '=', mapId)
  if (kind && kind.length > 0) query = query.where('kind', 'in', kind)
  const types = typesByKind(type ?? [])
  for (const constrained of featureKinds) {
    const allowed = types[constrained]
    if (allowed)
      query = query.where(({ eb, or }) => or([eb('kind', '!=', constrained), eb('type', 'in', allowed)]))
  }
  if (since !== undefined)
    query = query.where(({ eb, or }) =>
      or([eb('kind', '!=', 'incident'), eb('date', '>=', startOfUtcDay(since))]),
    )
  if (status && status.length > 0) query = query.where('status', 'in', status)
  if (severity && severity.length > 0) query = query.where((builder) => hasSeverity(builder, severity))
  if (bbox) query = query.where(database.dialect.intersects(bbox))
  const words = text === undefined ? [] : searchWords(text)
  if (words.length > 0) query = query.where(database.dialect.matchesWords(words))
  // Text without a letter or digit can match nothing.
  else if (text !== undefined && text.trim() !== '') query = query.where(sql<boolean>`1 = 0`)
  return query
}

/** An incident whose severity nobody knows has the severity 'unknown'; other kinds have none at all. */
function hasSeverity({ eb, and, or }: ExpressionBuilder<Tables, 'features'>, wanted: readonly string[]) {
  const isWanted = eb('severity', 'in', wanted as string[])
  if (!wanted.includes('unknown')) return isWanted
  return or([isWanted, and([eb('kind', '=', 'incident'), eb('severity', 'is', null)])])
}

type SummaryRow = Pick<
  FeatureColumns,
  | 'id'
  | 'kind'
  | 'shape'
  | 'name'
  | 'description'
  | 'type'
  | 'status'
  | 'severity'
  | 'date'
  | 'lng'
  | 'lat'
  | 'version'
>

function toSummary(row: SummaryRow): FeatureSummary {
  const { id, kind, shape, name, description, version } = row
  return {
    id,
    kind,
    shape,
    name,
    description,
    type: row.type as FeatureSummary['type'],
    status: row.status as FeatureSummary['status'],
    severity: row.severity as FeatureSummary['severity'],
    date: row.date === null ? null : new Date(row.date).toISOString(),
    location: { lat: row.lat, lng: row.lng },
    version,
  }
}

/** The whole row, or undefined. */
export function readFeature(
  { read }: Database,
  mapId: string,
  id: string,
): Promise<FeatureColumns | undefined> {
  return read
    .selectFrom('features')
    .selectAll()
    .where('map_id', '=', mapId)
    .where('id', '=', id)
    .executeTakeFirst()
}
