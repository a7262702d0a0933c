import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Emails about incidents to people without an account, and the state of each incident in their last email. */
export const subscriptionsMigration: Migration = {
  name: '057-subscriptions',
  async up(transaction, engine) {
    const key = engine === 'postgres' ? 'text collate "C"' : 'text'
    const statements = [
      `create table subscriptions (
        map_id ${key} not null references maps,
        id ${key} not null,
        email text not null,
        topic text not null,
        feature_id ${key},
        radius_meters integer,
        area text,
        about_hash ${key} not null,
        types text not null,
        news text not null,
        frequency text not null,
        secret text not null,
        asked_at bigint not null,
        requests integer not null,
        confirmed_at bigint,
        ended_at bigint,
        digested_at bigint,
        refusals integer not null default 0,
        primary key (map_id, id)
      )`,
      `create unique index subscriptions_by_about on subscriptions (map_id, about_hash)`,
      `create index subscriptions_by_email on subscriptions (map_id, email)`,
      `create table incident_news (
        map_id ${key} not null references maps,
        incident_id ${key} not null,
        standing text,
        appeared_at bigint,
        changed_at bigint,
        primary key (map_id, incident_id)
      )`,
      `create index incident_news_by_time on incident_news (map_id, changed_at)`,
      `create table incident_mails (
        map_id ${key} not null references maps,
        recipient ${key} not null,
        incident_id ${key} not null,
        mailed text,
        primary key (map_id, recipient, incident_id)
      )`,
    ]
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}
