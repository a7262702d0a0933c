import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

const patienceMs = 2_000

export async function pingDatabase({ read }: Database): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' })
    timer = setTimeout(reject, patienceMs, error)
  })
  try {
    await Promise.race([sql`select 1 from maps limit 1`.execute(read), silence])
  } finally {
    clearTimeout(timer)
  }
}
