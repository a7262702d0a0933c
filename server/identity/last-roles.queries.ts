import type { Database } from '../database/database.ts'

/** After so long without a sign-in a person counts as new. */
const rememberedMs = 400 * 86_400_000

/** Notes what a person may do from now on; returns what it was at the last sign-in, null where there was none. */
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
    const former = await transaction
      .selectFrom('last_roles')
      .select('roles')
      .where('person_digest', '=', person_digest)
      .executeTakeFirst()
    await transaction
      .insertInto('last_roles')
      .values({ person_digest, roles, signed_in_at: now })
      .onConflict((conflict) => conflict.column('person_digest').doUpdateSet({ roles, signed_in_at: now }))
      .execute()
    return former ? (JSON.parse(former.roles) as string[]) : null
  })
}

/** What a person was allowed at their last sign-in, as a provider's claim would say it; null where there was none. */
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
