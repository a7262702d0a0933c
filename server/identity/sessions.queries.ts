import { createHash, randomBytes } from 'node:crypto'
import { type Person, roles as rolesSchema, type Session } from '#domain/access/session.schema.ts'
import type { Database } from '../database/database.ts'
import { outageOf } from '../database/outage.ts'

/** Section 9 of the specification. */
export const sessionSeconds = 86_400

const lastSeenStepMs = 60_000

type Origin = { idToken?: string | null; providerSession?: string | null; now?: number }

export async function createSession(
  database: Database,
  person: Person,
  { idToken = null, providerSession = null, now = Date.now() }: Origin = {},
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
        provider_session: providerSession,
        created_at: now,
        expires_at: now + sessionSeconds * 1000,
        last_seen_at: now,
      })
      .execute()
  })
  return id
}

type Use = {
  idleMs: number
  keepsAlive: boolean
  now?: number
}

export async function readSession(
  database: Database,
  id: string,
  { idleMs, keepsAlive, now = Date.now() }: Use,
): Promise<Session | undefined> {
  const row = await database.read
    .selectFrom('sessions')
    .selectAll()
    .where('id_hash', '=', hashOf(id))
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', now - idleMs)
    .executeTakeFirst()
  if (!row) return undefined
  const isNoted = keepsAlive && row.last_seen_at < now - lastSeenStepMs
  if (isNoted) await noteLastSeen(database, row.id_hash, now).catch(unlessOutage)
  const roles = rolesSchema.parse(JSON.parse(row.roles))
  return {
    idHash: row.id_hash,
    person: { id: row.person_id, name: row.person_name, roles },
    expiresAt: Math.min(row.expires_at, (isNoted ? now : row.last_seen_at) + idleMs),
    idToken: row.id_token,
  }
}

export async function deleteSession(database: Database, id: string): Promise<void> {
  await database.write((transaction) =>
    transaction.deleteFrom('sessions').where('id_hash', '=', hashOf(id)).execute(),
  )
}

export async function deleteSessionsOf(database: Database, personId: string): Promise<number> {
  const ended = await database.write((transaction) =>
    transaction.deleteFrom('sessions').where('person_id', '=', personId).returning('id_hash').execute(),
  )
  return ended.length
}

export async function findLiveSessions(
  database: Database,
  idHashes: readonly string[],
  { idleMs, now = Date.now() }: { idleMs: number; now?: number },
): Promise<Set<string>> {
  const rows = await database.read
    .selectFrom('sessions')
    .select('id_hash')
    .where('id_hash', 'in', idHashes)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', now - idleMs)
    .execute()
  return new Set(rows.map(({ id_hash }) => id_hash))
}

async function noteLastSeen(database: Database, idHash: string, now: number) {
  await database.write((transaction) =>
    transaction.updateTable('sessions').set({ last_seen_at: now }).where('id_hash', '=', idHash).execute(),
  )
}

function unlessOutage(error: unknown) {
  if (!outageOf(error)) throw error
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}
