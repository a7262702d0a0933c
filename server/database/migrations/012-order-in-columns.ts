import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Moves the sort keys of the list, and the mark of general features, to columns. */
export const orderInColumnsMigration: Migration = {
  name: '012-order-in-columns',
  async up(transaction, engine) {
    for (const statement of statements[engine]) await sql.raw(statement).execute(transaction)
  },
}

/** Newest first, undated last; every other kind is ordered by name alone. */
const dateOrder = `case when kind = 'incident' then coalesce(-date, 9007199254740991) else 0 end`

const common = (isGeneral: string) => [
  `drop index features_in_order`,
  `alter table features rename column list_order to name_order`,
  `alter table staged_features rename column list_order to name_order`,
  // After a tilde, or 17 digits, and a space.
  `update features set name_order = case when name_order like '~%' then substr(name_order, 3) else substr(name_order, 19) end
    where kind = 'incident'`,
  `alter table features add column is_general integer not null default 0`,
  `alter table staged_features add column is_general integer not null default 0`,
  `update features set is_general = 1 where ${isGeneral}`,
]

const index = `create index features_in_order on features (map_id, kind, date_order, name_order, id, shape)`

const statements = {
  sqlite: [
    ...common(`json_extract(fields, '$.featureType') is not null`),
    `alter table features add column date_order bigint generated always as (${dateOrder}) virtual`,
    index,
  ],
  postgres: [
    ...common(`cast(fields as json) ->> 'featureType' is not null`),
    `alter table features add column date_order bigint generated always as (${dateOrder}) stored`,
    index,
  ],
}
