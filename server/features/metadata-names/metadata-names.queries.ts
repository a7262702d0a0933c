import { sql } from 'kysely'
import type { MetadataName } from '#domain/features/metadata-names.schema.ts'
import type { Database } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { countAllFeatures } from '../../thinning/read-totals.queries.ts'

/** Changes whenever the metadata of a map may have changed, which only imports and their undoing do. */
export async function readMetadataState({ read }: Database, mapId: string): Promise<string> {
  const imports = await read
    .selectFrom('imports')
    .select(({ fn }) => [
      'state',
      fn.countAll<number>().as('count'),
      fn.max('started_at').as('latest'),
      fn.max('id').as('id'),
    ])
    .where('map_id', '=', mapId)
    .where('state', 'in', ['done', 'undone'])
    .groupBy('state')
    .orderBy('state')
    .execute()
  return JSON.stringify([await countAllFeatures(read, mapId), imports])
}

export async function readStoredNames(
  { read }: Database,
  mapId: string,
  state: string,
): Promise<MetadataName[] | undefined> {
  const row = await read
    .selectFrom('metadata_names')
    .select('names')
    .where('map_id', '=', mapId)
    .where('counted_at_state', '=', state)
    .executeTakeFirst()
  return row && JSON.parse(row.names)
}

export async function storeNames(
  database: Database,
  mapId: string,
  state: string,
  names: readonly MetadataName[],
) {
  const counted = { counted_at_state: state, names: JSON.stringify(names) }
  await database.write((transaction) =>
    transaction
      .insertInto('metadata_names')
      .values({ map_id: mapId, ...counted })
      .onConflict((conflict) => conflict.column('map_id').doUpdateSet(counted))
      .execute(),
  )
}

/** Features per query, which take a fraction of a second however many columns their file had. */
const featuresPerQuery = 2_000

export type CountedPart = {
  names: MetadataName[]
  next: string | null
}

export function countNamesAfter(
  { readInWorker, dialect }: Database,
  caller: QueueClient,
  after: string,
): Promise<CountedPart> {
  const { mapId } = caller
  return readInWorker(caller, async (read) => {
    const last = await read
      .selectFrom('features')
      .select('id')
      .where('map_id', '=', mapId)
      .where('id', '>', after)
      .orderBy('id')
      .offset(featuresPerQuery - 1)
      .limit(1)
      .executeTakeFirst()
    const upTo = last ? sql`and features.id <= ${last.id}` : sql``
    const { rows } = await sql<MetadataName>`
      select entry.value ->> 'name' as name, count(*) as features
      from features cross join ${dialect.elements(sql.ref('features.metadata'), 'entry')}
      where features.map_id = ${mapId} and features.id > ${after} ${upTo}
        and coalesce(entry.value ->> 'value', '') <> ''
      group by entry.value ->> 'name'`.execute(read)
    return { names: rows, next: last?.id ?? null }
  })
}
