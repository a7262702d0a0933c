import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Database } from '../database/database.ts'

/** How long somebody may take at the provider, reset mails included. */
export const signInSeconds = 15 * 60

const checksSchema = z.object({ codeVerifier: z.string(), nonce: z.string(), isPopup: z.boolean() })

/** What the provider's answer must fit, and where the person wanted to go. */
export type SignIn = z.infer<typeof checksSchema> & { returnTo: string }

/**
 * The browser's own cookie and the state that the provider hands back: only both together name a sign-in, so
 * that nobody finishes, or uses up, one that another browser began.
 */
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

/** Takes it out of the database: undefined where there is none, it was used already or it is too old. */
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
