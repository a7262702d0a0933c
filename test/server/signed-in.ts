import { type Roles, rolesOfClaim } from '#domain/access/access.ts'
import type { Database } from '#server/database/database.ts'
import { sessionCookieName } from '#server/http/access.ts'
import { createSession } from '#server/identity/sessions.queries.ts'
import { readConfiguration } from '#server/settings/configuration.ts'

export type SignedIn = { cookie: string; 'sec-fetch-site': 'same-origin' }

/**
 * Creates a session and returns its request headers. `claim` is the claim of the identity provider: 'administrator'
 * or ['editor:oak-hills'].
 */
export async function signIn(
  database: Database,
  claim: unknown = 'administrator',
  { id = 'maya', name = 'Maya Ortiz', settings = {} }: SignInOptions = {},
): Promise<SignedIn> {
  const roles: Roles = rolesOfClaim(claim)
  const session = await createSession(database, { id, name, roles })
  const cookie = `${sessionCookieName(readConfiguration(settings))}=${session}`
  return { cookie, 'sec-fetch-site': 'same-origin' }
}

type SignInOptions = { id?: string; name?: string; settings?: Record<string, string> }
