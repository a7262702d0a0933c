import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/**
 * Stores each word in SQLite's index with the id of its map as a prefix, to search one map. Before, a word
 * shared by a million features of another map took 0.2 s to search in any map.
 */
export const wordsOfMapsMigration: Migration = {
  name: '006-words-of-maps',
  async up(transaction, engine) {
    if (engine === 'postgres') return
    for (const statement of statements) await sql.raw(statement).execute(transaction)
  },
}

/** A row of the index for one of `features`. Words have no '~' and are separated by single spaces. */
const wordsOf = (row: string) =>
  `${row}.feature_key, ${row}.map_id || '~' || replace(${row}.search_text, ' ', ' ' || ${row}.map_id || '~')`

const statements = [
  `drop trigger features_inserted`,
  `drop trigger features_deleted`,
  `drop trigger features_reworded`,
  `drop table feature_words`,
  // The words are folded already: 'ascii' splits them at spaces and keeps every other letter of any script.
  `create virtual table feature_words using fts5 (
    words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '-~'"
  )`,
  `insert into feature_words (rowid, words) select ${wordsOf('features')} from features order by feature_key`,
  `create trigger features_inserted after insert on features begin
    insert into feature_extents
      values (new.feature_key, new.west, new.east, new.south, new.north, new.size_zoom, new.size_zoom);
    insert into feature_words (rowid, words) values (${wordsOf('new')});
  end`,
  `create trigger features_deleted after delete on features begin
    delete from feature_extents where feature_key = old.feature_key;
    delete from feature_words where rowid = old.feature_key;
  end`,
  `create trigger features_reworded after update of search_text on features begin
    delete from feature_words where rowid = old.feature_key;
    insert into feature_words (rowid, words) values (${wordsOf('new')});
  end`,
]
