import type { Database } from '../database/database.ts'

const rememberedMs = 400 * 86_400_000

export async function noteRoles(
  database: Database,
  { digest, roles: words }: { digest: string; roles: readonly string[] },
  now = Date.now(),
): Promise<string[] | null> {
  const person_digest = digest
  const roles = JSON.stringify(words)
  return database.write(async (transaction) => {
    await transaction
      .deleteFrom('last_roles')
      .where('signed_in_at', '<', now - rememberedMs)
      .execute()
    const previous = await transaction
      .selectFrom('last_roles')
      .select('roles')
      .where('person_digest', '=', person_digest)
      .executeTakeFirst()
    await transaction
      .insertInto('last_roles')
      .values({ person_digest, roles, signed_in_at: now })
      .onConflict((conflict) => conflict.column('person_digest').doUpdateSet({ roles, signed_in_at: now }))
      .execute()
    return previous ? (JSON.parse(previous.roles) as string[]) : null
  })
}

export async function readLastRoles(
  { read }: Database,
  digest: string,
  now = Date.now(),
): Promise<string[] | null> {
  const row = await read
    .selectFrom('last_roles')
    .select('roles')
    .where('person_digest', '=', digest)
    .where('signed_in_at', '>=', now - rememberedMs)
    .executeTakeFirst()
  return row ? (JSON.parse(row.roles) as string[]) : null
}
