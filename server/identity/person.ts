import { everyRole, rolesOfClaim } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import { SignInRefusal } from './refusals.ts'

export type Claims = { readonly [name: string]: unknown }

const maxNameLength = 200

/** Subjects are unique only per issuer. */
export function personOf(claims: Claims, issuer: string, rolesClaim: string | null): Person {
  const { sub } = claims
  // OpenID Connect: at most 255 ASCII characters.
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub)) throw new SignInRefusal('unusable-answer')
  return {
    id: `${issuer}#${sub}`,
    name: nameOf(claims) ?? sub,
    roles: rolesClaim === null ? everyRole : rolesOfClaim(readClaim(claims, rolesClaim)),
  }
}

function nameOf(claims: Claims): string | undefined {
  return [claims.name, claims.preferred_username, claims.email].map(cleanName).find((name) => name !== '')
}

/** One line without control and bidirectional characters. */
function cleanName(value: unknown): string {
  if (typeof value !== 'string') return ''
  const line = value
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return [...line].slice(0, maxNameLength).join('').trim()
}

export function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((value, step) => {
    const isObject = typeof value === 'object' && value !== null
    return isObject && Object.hasOwn(value, step) ? (value as Claims)[step] : undefined
  }, claims)
}
