import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

export const signInSeconds = 15 * 60

const checksSchema = z.object({ codeVerifier: z.string(), nonce: z.string(), isPopup: z.boolean() })

export type SignIn = z.infer<typeof checksSchema> & { returnTo: string }

/** A browser can only finish its own sign-ins: the key has both its cookie and the state. */
export type SignInKey = { browserId: string; state: string }

export async function createSignIn(
  database: Database,
  key: SignInKey,
  { returnTo, ...checks }: SignIn,
  now = Date.now(),
): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.deleteFrom('sign_ins').where('created_at', '<=', tooOld(now)).execute()
    await transaction
      .insertInto('sign_ins')
      .values({
        id_hash: hashOf(key),
        checks: JSON.stringify(checks),
        return_to: returnTo,
        created_at: now,
      })
      .execute()
  })
}

export async function takeSignIn(
  database: Database,
  key: SignInKey,
  now = Date.now(),
): Promise<SignIn | undefined> {
  const [row] = await database.write((transaction) =>
    transaction.deleteFrom('sign_ins').where('id_hash', '=', hashOf(key)).returningAll().execute(),
  )
  if (!row || row.created_at <= tooOld(now)) return undefined
  return { ...checksSchema.parse(JSON.parse(row.checks)), returnTo: row.return_to }
}

const tooOld = (now: number) => now - signInSeconds * 1000

function hashOf({ browserId, state }: SignInKey): string {
  return createHash('sha256').update(`${browserId}.${state}`).digest('hex')
}
