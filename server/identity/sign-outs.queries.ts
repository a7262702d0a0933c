import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'

export const signOutSeconds = 5 * 60

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

export async function createSignOut(database: Database, providerUrl: URL, now = Date.now()): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  await database.write(async (transaction) => {
    await transaction.deleteFrom('sign_outs').where('created_at', '<=', tooOld(now)).execute()
    await transaction
      .insertInto('sign_outs')
      .values({ id_hash: hashOf(id), provider_url: providerUrl.href, created_at: now })
      .execute()
  })
  return id
}

export async function takeSignOut(
  database: Database,
  id: string,
  now = Date.now(),
): Promise<string | undefined> {
  const [row] = await database.write((transaction) =>
    transaction.deleteFrom('sign_outs').where('id_hash', '=', hashOf(id)).returningAll().execute(),
  )
  return row && row.created_at > tooOld(now) ? row.provider_url : undefined
}

const tooOld = (now: number) => now - signOutSeconds * 1000

const tokenMemoryMs = 3_600_000

export type ProviderSignOut = {
  issuer: string
  tokenId: string
  subject: string | null
  session: string | null
}

/** Returns the person of each ended session; null for a repeated token. */
export async function endSessionsOfProvider(
  database: Database,
  { issuer, tokenId, subject, session }: ProviderSignOut,
  now = Date.now(),
): Promise<string[] | null> {
  return database.write(async (transaction) => {
    await transaction
      .deleteFrom('logout_tokens')
      .where('created_at', '<', now - tokenMemoryMs)
      .execute()
    const noted = await transaction
      .insertInto('logout_tokens')
      .values({ id_hash: hashOf(`${issuer} ${tokenId}`), created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id_hash')
      .execute()
    if (noted.length === 0) return null
    const ended = await transaction
      .deleteFrom('sessions')
      .$if(subject !== null, (query) => query.where('person_id', '=', `${issuer}#${subject}`))
      .$if(session !== null, (query) =>
        query.where((is) =>
          is.or([
            is('provider_session', '=', `${issuer}#${session}`),
            ...(subject === null ? [] : [is('provider_session', 'is', null)]),
          ]),
        ),
      )
      .returning('person_id')
      .execute()
    return ended.map(({ person_id }) => person_id)
  })
}
