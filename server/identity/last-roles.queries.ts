import { foldText } from '#domain/values/text.ts'
import type { Database } from '../database/database.ts'

export const rememberedMs = 400 * 86_400_000

export async function noteRoles(
  database: Database,
  { digest, name, roles: words }: { digest: string; name: string; roles: readonly string[] },
  now = Date.now(),
): Promise<string[] | null> {
  const person_digest = digest
  const noted = {
    roles: JSON.stringify(words),
    signed_in_at: now,
    person_name: name,
    search_text: foldText(name),
  }
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
      .values({ person_digest, ...noted })
      .onConflict((conflict) => conflict.column('person_digest').doUpdateSet(noted))
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
