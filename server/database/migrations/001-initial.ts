import { sql } from 'kysely'
import type { WriteTransaction } from '../database.ts'
import type { Migration } from './migration.ts'

export const initialMigration: Migration = {
  name: '001-initial',
  async up(transaction, engine) {
    const statements = [
      ...commonStatements(engine === 'postgres' ? 'text collate "C"' : 'text', engine),
      ...(engine === 'postgres' ? postgresStatements : sqliteStatements),
    ]
    for (const statement of statements) await run(transaction, statement)
  },
}

async function run(transaction: WriteTransaction, statement: string) {
  await sql.raw(statement).execute(transaction)
}

/** Statements for both engines. `key` is text that compares by bytes, as SQLite always does. */
function commonStatements(key: string, engine: 'sqlite' | 'postgres'): string[] {
  const featureColumns = `
    map_id ${key} not null,
    id ${key} not null,
    kind ${key} not null,
    shape ${key} not null,
    name text not null,
    description text not null,
    type ${key},
    status ${key},
    severity ${key},
    date bigint,
    lng double precision not null,
    lat double precision not null,
    west double precision not null,
    south double precision not null,
    east double precision not null,
    north double precision not null,
    size double precision not null,
    morton bigint not null,
    leader_zoom integer not null,
    size_zoom integer not null,
    list_order ${key} not null,
    search_text text not null,
    import_id ${key},
    version integer not null,
    created_at bigint not null,
    updated_at bigint not null,
    fields text not null,
    metadata text not null,
    geometry text not null`

  return [
    `create table maps (
      map_id ${key} primary key,
      created_at bigint not null,
      updated_at bigint not null
    )`,
    `create table clients (
      map_id ${key} primary key references maps,
      name text not null,
      location text not null,
      thumbnail text,
      list_order ${key} not null,
      search_text text not null,
      created_at bigint not null,
      updated_at bigint not null,
      archived_at bigint
    )`,
    `create index clients_in_order on clients (list_order, map_id)`,
    `create table map_configurations (
      map_id ${key} not null references maps,
      version integer not null,
      configuration text not null,
      applied_at bigint not null,
      applied_by text,
      primary key (map_id, version)
    )`,
    // SQLite's R*Tree and full-text table refer to rows by number, which must survive a VACUUM.
    engine === 'postgres'
      ? `create table features (${featureColumns}, primary key (map_id, id), foreign key (map_id) references maps)`
      : `create table features (${featureColumns}, feature_key integer primary key, unique (map_id, id), foreign key (map_id) references maps)`,
    `create index features_in_order on features (map_id, kind, list_order, id)`,
    // Covers all columns that a point on a tile needs, so that tiles of points never touch the table itself.
    `create index features_on_tiles on features
      (map_id, leader_zoom, morton, size_zoom, kind, shape, type, date, status, severity, id, lng, lat)`,
    `create index features_of_imports on features (map_id, import_id)`,
    `create table staged_features (${featureColumns}, row_number integer not null, primary key (map_id, import_id, row_number))`,
    `create table imports (
      map_id ${key} not null references maps,
      id ${key} not null,
      source text not null,
      kind ${key} not null,
      state ${key} not null,
      created_count integer not null,
      updated_count integer not null,
      refused_count integer not null,
      started_at bigint not null,
      finished_at bigint,
      primary key (map_id, id)
    )`,
    `create table import_changes (
      map_id ${key} not null,
      import_id ${key} not null,
      id ${key} not null,
      previous text,
      primary key (map_id, import_id, id)
    )`,
    `create table activity (
      map_id ${key} not null,
      id ${key} not null,
      at bigint not null,
      actor text,
      action ${key} not null,
      subject ${key},
      details text not null,
      west double precision,
      south double precision,
      east double precision,
      north double precision,
      primary key (map_id, id)
    )`,
    `create index activity_in_time on activity (at)`,
  ]
}

const appendOnly = 'activity is append-only'

const sqliteStatements = [
  `create virtual table feature_extents using rtree (feature_key, west, east, south, north)`,
  // The words are folded already: 'ascii' splits them at spaces and keeps every other letter of any script.
  `create virtual table feature_words using fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
  )`,
  `create trigger features_inserted after insert on features begin
    insert into feature_extents values (new.feature_key, new.west, new.east, new.south, new.north);
    insert into feature_words (rowid, words) values (new.feature_key, new.search_text);
  end`,
  `create trigger features_deleted after delete on features begin
    delete from feature_extents where feature_key = old.feature_key;
    delete from feature_words where rowid = old.feature_key;
  end`,
  `create trigger features_updated after update of west, south, east, north, search_text on features begin
    update feature_extents set west = new.west, east = new.east, south = new.south, north = new.north
      where feature_key = new.feature_key;
    delete from feature_words where rowid = old.feature_key;
    insert into feature_words (rowid, words) values (new.feature_key, new.search_text);
  end`,
  ...['update', 'delete'].map(
    (change) =>
      `create trigger activity_no_${change} before ${change} on activity begin select raise(abort, '${appendOnly}'); end`,
  ),
]

const postgresStatements = [
  `create extension if not exists postgis`,
  `alter table features add column extent geometry(Polygon, 4326)
    generated always as (ST_MakeEnvelope(west, south, east, north, 4326)) stored`,
  `create index features_by_extent on features using gist (extent)`,
  // Avoids PostgreSQL's own parser, which would drop letters that its locale does not include.
  `alter table features add column words tsvector
    generated always as (array_to_tsvector(string_to_array(search_text, ' '))) stored`,
  `create index features_by_words on features using gin (words)`,
  `create function refuse_change() returns trigger language plpgsql as $$
    begin raise exception '${appendOnly}'; end
  $$`,
  `create trigger activity_append_only before update or delete on activity
    for each statement execute function refuse_change()`,
]
