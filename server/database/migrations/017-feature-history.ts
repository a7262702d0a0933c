import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Stores the history of features, and removed features for restoring them. A new feature may have the id of a
 * removed one, and its versions start again: the change and its instant tell them apart.
 */
export const featureHistoryMigration: Migration = {
  name: '017-feature-history',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table feature_history (
        map_id ${key} not null references maps,
        feature_id ${key} not null,
        change_id ${key} not null,
        at bigint not null,
        version integer not null,
        actor text not null,
        actor_id ${key} not null,
        action text not null,
        undoes ${key},
        changed text not null,
        primary key (map_id, feature_id, change_id)
      )`,
      `create index feature_history_of_changes on feature_history (map_id, change_id, feature_id)`,
      `create table removed_features (
        map_id ${key} not null references maps,
        id ${key} not null,
        kind text not null,
        name text not null,
        version integer not null,
        change_id ${key} not null,
        created_at bigint not null,
        removed_at bigint not null,
        removed_by text not null,
        feature text not null,
        primary key (map_id, id)
      )`,
      `create index removed_features_in_order on removed_features (map_id, removed_at, id)`,
      `create index removed_features_by_age on removed_features (removed_at)`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
