import type { CookieSerializeOptions } from '@fastify/cookie'
import type { Configuration } from '../settings/configuration.ts'
import { sessionSeconds } from './sessions.queries.ts'
import { signInSeconds } from './sign-ins.queries.ts'
import { signOutSeconds } from './sign-outs.queries.ts'

/** Lax: the browser must send them when it returns from the provider's site. */
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

export function noCookie(configuration: Configuration): CookieSerializeOptions {
  return cookieOptions(configuration)
}

/** Identifies the browser that started a sign-in. Built like the session cookie's name. */
export function signInCookieName({ publicUrl }: Configuration): string {
  const { protocol, port } = new URL(publicUrl)
  return protocol === 'https:' ? '__Host-poa-sign-in' : `poa-sign-in-${port || '80'}`
}

export function signOutCookieName({ publicUrl }: Configuration): string {
  const { protocol, port } = new URL(publicUrl)
  return protocol === 'https:' ? '__Host-poa-sign-out' : `poa-sign-out-${port || '80'}`
}
