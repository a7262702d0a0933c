import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

export async function pingDatabase({ read }: Database): Promise<void> {
  await sql`select 1 from maps limit 1`.execute(read)
}
