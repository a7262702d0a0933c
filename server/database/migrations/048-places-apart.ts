import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** Gives SQLite's R*Tree a trigger of its own, so that imports can pack the tree instead of filling it row by row. */
export const placesApartMigration: Migration = {
  name: '048-places-apart',
  async up(transaction, engine) {
    if (engine === 'postgres') return
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}

const layer = 'map_number * 32 + min(new.size_zoom, 31)'

const statements = [
  'drop trigger features_inserted',
  `create trigger features_inserted after insert on features begin
    insert into feature_words (rowid, words) values (
      new.feature_key,
      new.map_id || '~' || replace(new.search_text, ' ', ' ' || new.map_id || '~')
    );
  end`,
  `create trigger features_placed after insert on features begin
    insert into feature_extents select new.feature_key, new.west, new.east, new.south, new.north, ${layer}, ${layer}
      from map_numbers where map_numbers.map_id = new.map_id;
  end`,
]
