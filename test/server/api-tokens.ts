import { rolesOfClaim } from '#domain/access/access.ts'
import { type NewApiToken, tokenScopes } from '#domain/access/api-token.schema.ts'
import type { Database } from '#server/database/database.ts'
import { digestOf, wordsOf } from '#server/http/audit.ts'
import { createApiToken } from '#server/identity/api-tokens.queries.ts'
import { noteRoles } from '#server/identity/last-roles.queries.ts'

/** `issuer` is the identity provider; most tests use the demo provider. */
type Maker = { claim?: unknown; id?: string; name?: string; issuer?: string }

/** Stores the roles that a sign-in with this claim grants. */
export async function noteClaim(
  database: Database,
  claim: unknown,
  id = 'maya',
  name = 'Maya Ortiz',
): Promise<void> {
  await noteRoles(database, { digest: digestOf(id), name, roles: wordsOf(rolesOfClaim(claim)) })
}

/** A token for all permissions on oak-hills, made by an administrator. */
export async function makeToken(
  database: Database,
  changes: Partial<NewApiToken> = {},
  { claim = 'administrator', id = 'maya', name = 'Maya Ortiz', issuer = 'demo' }: Maker = {},
) {
  await noteClaim(database, claim, id)
  const whole = { name: 'County sync', scopes: tokenScopes, mapIds: ['oak-hills'], ...changes }
  const made = await createApiToken(
    database,
    { person: { id, name, roles: rolesOfClaim(claim) }, issuer },
    whole,
  )
  const basic = Buffer.from(`token:${made.secret}`).toString('base64')
  return {
    ...made,
    bearer: { authorization: `Bearer ${made.secret}` },
    basic: { authorization: `Basic ${basic}` },
  }
}
