import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** No foreign key: a change that writes a delivery must not fail because its endpoint is removed. */
export const webhooksMigration: Migration = {
  name: '035-webhooks',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table webhook_endpoints (
        map_id ${key} not null references maps,
        id ${key} not null,
        url text not null,
        description text not null,
        events text not null,
        kinds text not null,
        secret text not null,
        former_secret text,
        former_until bigint,
        off_at bigint,
        off_reason text,
        version integer not null,
        created_at bigint not null,
        created_by text not null,
        served_at bigint not null,
        locked_until bigint,
        locked_by text,
        primary key (map_id, id)
      )`,
      `create table webhook_deliveries (
        map_id ${key} not null references maps,
        id ${key} not null,
        endpoint_id ${key} not null,
        event text not null,
        subject ${key},
        kind text,
        version integer,
        at bigint not null,
        next_try_at bigint,
        tries integer not null,
        tried_at bigint,
        status integer,
        took_ms integer,
        error text,
        delivered_at bigint,
        primary key (map_id, id)
      )`,
      `create index webhook_deliveries_due on webhook_deliveries (map_id, endpoint_id, next_try_at)
        where next_try_at is not null`,
      `create index webhook_deliveries_of_endpoint on webhook_deliveries (map_id, endpoint_id, at, id)`,
      `create index webhook_deliveries_tried on webhook_deliveries (map_id, endpoint_id, tried_at)
        where tried_at is not null`,
      `create index webhook_deliveries_by_age on webhook_deliveries (at)`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
