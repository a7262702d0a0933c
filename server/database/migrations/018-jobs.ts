import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** `bulk_change_items` are the features that are still to be changed, or were skipped for a reason. */
export const jobsMigration: Migration = {
  name: '018-jobs',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table jobs (
        map_id ${key} not null references maps,
        id ${key} not null,
        kind ${key} not null,
        job_key ${key} not null,
        payload text not null,
        created_at bigint not null,
        run_at bigint not null,
        attempts integer not null,
        locked_until bigint,
        locked_by text,
        last_error text,
        dead_at bigint,
        primary key (map_id, id)
      )`,
      `create unique index jobs_by_key on jobs (map_id, kind, job_key)`,
      `create index jobs_in_turn on jobs (run_at) where dead_at is null`,
      `create table bulk_changes (
        map_id ${key} not null references maps,
        id ${key} not null,
        action text not null,
        patch text not null,
        undoes ${key},
        state text not null,
        kinds text not null,
        total integer not null,
        changed integer not null,
        same integer not null,
        left_count integer not null,
        actor text not null,
        actor_id ${key} not null,
        started_at bigint not null,
        finished_at bigint,
        primary key (map_id, id)
      )`,
      `create table bulk_change_items (
        map_id ${key} not null references maps,
        bulk_id ${key} not null,
        feature_id ${key} not null,
        version integer not null,
        reason text,
        primary key (map_id, bulk_id, feature_id)
      )`,
      `create index bulk_change_items_to_do on bulk_change_items (map_id, bulk_id, feature_id)
        where reason is null`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
