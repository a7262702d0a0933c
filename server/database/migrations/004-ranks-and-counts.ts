import { sql } from 'kysely'
import type { WriteTransaction } from '../database.ts'
import { type Ranked, rankIn } from './004-ranking.ts'
import type { Migration } from './migration.ts'

/**
 * Stores ranks, counts and extents, so that large maps are as fast as small ones. All writers of features
 * maintain them; this migration computes them for existing features.
 */
export const ranksAndCountsMigration: Migration = {
  name: '004-ranks-and-counts',
  async up(transaction, engine) {
    const isPostgres = engine === 'postgres'
    const key = isPostgres ? 'text collate "C"' : 'text'
    for (const statement of [
      `drop index features_on_tiles`,
      `drop index features_in_order`,
      ...(isPostgres ? [] : dropSqliteExtents),
      `alter table features add column type_leader_zoom integer`,
      `alter table staged_features drop column leader_zoom`,
      ...(isPostgres ? [] : sqliteExtents),
      ...countTables(key, isPostgres ? '' : 'without rowid'),
    ])
      await sql.raw(statement).execute(transaction)
    await rankAllMaps(transaction)
    for (const statement of [...indexes, ...(isPostgres ? postgresIndexes : [])])
      await sql.raw(statement).execute(transaction)
    await countAll(transaction)
  },
}

const tileColumns = 'date, status, severity, size, size_zoom, lng, lat'

const indexes = [
  // One range per zoom, with all columns that tiles of points and ranking need.
  `create index features_on_tiles on features
    (map_id, leader_zoom, morton, id, kind, shape, type, ${tileColumns})`,
  `create index features_of_types_on_tiles on features
    (map_id, type, type_leader_zoom, morton, id, kind, shape, ${tileColumns}) where type is not null`,
  `create index features_in_order on features (map_id, kind, list_order, id, shape)`,
]

/** Only large shapes, so that a tile of a large area does not find all the small ones on it. */
const postgresIndexes = [6, 9, 12].map(
  (zoom) =>
    `create index features_by_extent_${zoom} on features using gist (extent) where size_zoom <= ${zoom}`,
)

const dropSqliteExtents = [
  `drop trigger features_inserted`,
  `drop trigger features_deleted`,
  `drop trigger features_updated`,
  `drop table feature_extents`,
]

/** The zoom is a third dimension of the box: a tile finds only shapes that are large enough. */
const sqliteExtents = [
  `create virtual table feature_extents using rtree
    (feature_key, west, east, south, north, first_zoom, last_zoom)`,
  `insert into feature_extents
    select feature_key, west, east, south, north, size_zoom, size_zoom from features order by morton`,
  `create trigger features_inserted after insert on features begin
    insert into feature_extents
      values (new.feature_key, new.west, new.east, new.south, new.north, new.size_zoom, new.size_zoom);
    insert into feature_words (rowid, words) values (new.feature_key, new.search_text);
  end`,
  `create trigger features_deleted after delete on features begin
    delete from feature_extents where feature_key = old.feature_key;
    delete from feature_words where rowid = old.feature_key;
  end`,
  `create trigger features_moved after update of west, south, east, north, size_zoom on features begin
    update feature_extents
      set west = new.west, east = new.east, south = new.south, north = new.north,
        first_zoom = new.size_zoom, last_zoom = new.size_zoom
      where feature_key = new.feature_key;
  end`,
  `create trigger features_reworded after update of search_text on features begin
    delete from feature_words where rowid = old.feature_key;
    insert into feature_words (rowid, words) values (new.feature_key, new.search_text);
  end`,
]

const countTables = (key: string, storage: string) => [
  `create table feature_counts (
    map_id ${key} not null references maps,
    kind ${key} not null,
    shape ${key} not null,
    type ${key} not null,
    day integer not null,
    count integer not null,
    primary key (map_id, kind, shape, type, day)
  ) ${storage}`,
  `create table map_extents (
    map_id ${key} primary key references maps,
    west double precision not null,
    south double precision not null,
    east double precision not null,
    north double precision not null
  )`,
]

async function rankAllMaps(transaction: WriteTransaction) {
  const { rows: maps } = await sql<{ map_id: string }>`select map_id from maps`.execute(transaction)
  for (const { map_id } of maps) {
    const features = await readFeatures(transaction, map_id)
    const zooms = rankIn(features, ({ kind, shape }) => `${kind} ${shape}`)
    const typeZooms = rankIn(features, ({ kind, shape, type }) =>
      type === null ? null : `${kind} ${shape} ${type}`,
    )
    for (let first = 0; first < features.length; first += rowsPerUpdate) {
      const values = features.slice(first, first + rowsPerUpdate).map(({ id }, index) => {
        const typeZoom = typeZooms[first + index]
        return sql`(${id}, cast(${zooms[first + index]} as integer), cast(${typeZoom === -1 ? null : typeZoom} as integer))`
      })
      await sql`
        with ranked (id, leader_zoom, type_leader_zoom) as (values ${sql.join(values)})
        update features
        set leader_zoom = ranked.leader_zoom, type_leader_zoom = ranked.type_leader_zoom
        from ranked
        where features.map_id = ${map_id} and features.id = ranked.id`.execute(transaction)
    }
  }
}

const rowsPerPage = 5_000
const rowsPerUpdate = 1_000

async function readFeatures(transaction: WriteTransaction, mapId: string): Promise<Ranked[]> {
  const features: Ranked[] = []
  for (;;) {
    const { rows } = await sql<Ranked>`
      select id, kind, shape, type, date, size, morton from features
      where map_id = ${mapId} and id > ${features.at(-1)?.id ?? ''}
      order by id limit ${rowsPerPage}`.execute(transaction)
    features.push(...rows)
    if (rows.length < rowsPerPage) return features
  }
}

async function countAll(transaction: WriteTransaction) {
  const day = sql`case when date is null then 2147483647
    else (date - (date % 86400000 + 86400000) % 86400000) / 86400000 end`
  await sql`
    insert into feature_counts (map_id, kind, shape, type, day, count)
    select map_id, kind, shape, coalesce(type, ''), ${day}, count(*) from features
    group by 1, 2, 3, 4, 5`.execute(transaction)
  await sql`
    insert into map_extents (map_id, west, south, east, north)
    select map_id, min(west), min(south), max(east), max(north) from features group by map_id`.execute(
    transaction,
  )
}
