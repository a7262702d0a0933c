import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Gives each map its own layers in SQLite's R*Tree, one for each zoom at which shapes appear. Before, the
 * search for a small map among a million features of another scanned those too.
 */
export const placesOfMapsMigration: Migration = {
  name: '009-places-of-maps',
  async up(transaction, engine) {
    if (engine === 'postgres') return
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}

const placesOf = (row: string, from = '') => {
  const layer = `map_number * 32 + min(${row}.size_zoom, 31)`
  return `select ${row}.feature_key, ${row}.west, ${row}.east, ${row}.south, ${row}.north, ${layer}, ${layer}
    from map_numbers ${from} where map_numbers.map_id = ${row}.map_id`
}

const statements = [
  `create table map_numbers (map_number integer primary key, map_id text not null unique)`,
  `insert into map_numbers (map_id) select map_id from maps order by map_id`,
  `create trigger maps_inserted after insert on maps begin
    insert into map_numbers (map_id) values (new.map_id);
  end`,
  `create trigger maps_deleted after delete on maps begin
    delete from map_numbers where map_id = old.map_id;
  end`,
  `drop trigger features_inserted`,
  `drop trigger features_moved`,
  `drop table feature_extents`,
  `create virtual table feature_extents using rtree
    (feature_key, west, east, south, north, first_layer, last_layer)`,
  `insert into feature_extents ${placesOf('features', 'cross join features')} order by map_number, morton`,
  `create trigger features_inserted after insert on features begin
    insert into feature_extents ${placesOf('new')};
    insert into feature_words (rowid, words) values (
      new.feature_key,
      new.map_id || '~' || replace(new.search_text, ' ', ' ' || new.map_id || '~')
    );
  end`,
  `create trigger features_moved after update of west, south, east, north, size_zoom on features begin
    delete from feature_extents where feature_key = old.feature_key;
    insert into feature_extents ${placesOf('new')};
  end`,
]
