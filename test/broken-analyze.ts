import { sql } from 'kysely'
import type { Database } from '#server/database/database.ts'

/** Makes `analyze` fail on PostgreSQL. */
export async function breakAnalyze({ read }: Database) {
  await sql`
    create function fails_in_analyze(id text) returns text immutable language plpgsql as ${sql.lit(
      `begin
        if current_query() like 'analyze%' then raise exception 'No space left' using errcode = '53100'; end if;
        return id;
      end`,
    )}`.execute(read)
  await sql`create index trouble on features (fails_in_analyze(id))`.execute(read)
}
