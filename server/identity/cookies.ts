import type { CookieSerializeOptions } from '@fastify/cookie'
import type { Configuration } from '../settings/configuration.ts'
import { sessionSeconds } from './sessions.queries.ts'
import { signInSeconds } from './sign-ins.queries.ts'
import { signOutSeconds } from './sign-outs.queries.ts'

/**
 * Lax: the browser comes back from the provider's site and must bring them along; it sends them with no other
 * request that a strange site makes, except to follow a link.
 */
function cookieOptions({ publicUrl }: Configuration): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') }
}

export function sessionCookie(configuration: Configuration): CookieSerializeOptions {
  return { ...cookieOptions(configuration), maxAge: sessionSeconds }
}

export function signInCookie(configuration: Configuration): CookieSerializeOptions {
  return { ...cookieOptions(configuration), maxAge: signInSeconds }
}

export function signOutCookie(configuration: Configuration): CookieSerializeOptions {
  return { ...cookieOptions(configuration), maxAge: signOutSeconds }
}

/** What a browser must be told to forget a cookie of ours. */
export function noCookie(configuration: Configuration): CookieSerializeOptions {
  return cookieOptions(configuration)
}

/** Names the browser in which a sign-in began; named like the session's, for the same reasons. */
export function signInCookieName({ publicUrl }: Configuration): string {
  const { protocol, port } = new URL(publicUrl)
  return protocol === 'https:' ? '__Host-poa-sign-in' : `poa-sign-in-${port || '80'}`
}

/** Names the browser that signed out here, and is on its way to the provider. */
export function signOutCookieName({ publicUrl }: Configuration): string {
  const { protocol, port } = new URL(publicUrl)
  return protocol === 'https:' ? '__Host-poa-sign-out' : `poa-sign-out-${port || '80'}`
}
