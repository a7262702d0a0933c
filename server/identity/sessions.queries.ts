import { createHash, randomBytes } from 'node:crypto'
import { type Person, roles as rolesSchema } from '#domain/access/session.schema.ts'
import type { Database } from '../database/database.ts'
import { troubleOf } from '../database/trouble.ts'

/** Section 9 of the specification: the session ends a day after the sign-in, whatever happens. */
export const sessionSeconds = 86_400

/** How exactly we know when somebody was last here; more exactly would mean a write for every request. */
const lastSeenStepMs = 60_000

export type Session = { person: Person; expiresAt: number; idToken: string | null }

/** A new session; returns the id for the cookie, which is kept nowhere else. */
export async function createSession(
  database: Database,
  person: Person,
  { idToken = null, now = Date.now() }: { idToken?: string | null; now?: number } = {},
): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  await database.write(async (transaction) => {
    await transaction.deleteFrom('sessions').where('expires_at', '<=', now).execute()
    await transaction
      .insertInto('sessions')
      .values({
        id_hash: hashOf(id),
        person_id: person.id,
        person_name: person.name,
        roles: JSON.stringify(person.roles),
        id_token: idToken,
        created_at: now,
        expires_at: now + sessionSeconds * 1000,
        last_seen_at: now,
      })
      .execute()
  })
  return id
}

/** Undefined where there is none, or it has ended. */
export async function readSession(
  database: Database,
  id: string,
  now = Date.now(),
): Promise<Session | undefined> {
  const row = await database.read
    .selectFrom('sessions')
    .selectAll()
    .where('id_hash', '=', hashOf(id))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  if (row.last_seen_at < now - lastSeenStepMs)
    await noteLastSeen(database, row.id_hash, now).catch(unlessTrouble)
  const roles = rolesSchema.parse(JSON.parse(row.roles))
  return {
    person: { id: row.person_id, name: row.person_name, roles },
    expiresAt: row.expires_at,
    idToken: row.id_token,
  }
}

/** Ends it at once, wherever its cookie may still be. */
export async function deleteSession(database: Database, id: string): Promise<void> {
  await database.write((transaction) =>
    transaction.deleteFrom('sessions').where('id_hash', '=', hashOf(id)).execute(),
  )
}

async function noteLastSeen(database: Database, idHash: string, now: number) {
  await database.write((transaction) =>
    transaction.updateTable('sessions').set({ last_seen_at: now }).where('id_hash', '=', idHash).execute(),
  )
}

/** Who may be let in is known without it: reading goes on where nothing can be written. */
function unlessTrouble(error: unknown) {
  if (!troubleOf(error)) throw error
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
