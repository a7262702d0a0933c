import type { CookieSerializeOptions } from '@fastify/cookie'
import { cookieName } from '../http/access.ts'
import type { Configuration } from '../settings/configuration.ts'
import { sessionSeconds } from './sessions.queries.ts'
import { signInSeconds } from './sign-ins.queries.ts'
import { signOutSeconds } from './sign-outs.queries.ts'

const maxAges = { session: sessionSeconds, 'sign-in': signInSeconds, 'sign-out': signOutSeconds }

/** Lax: the browser must send them when it returns from the provider's site. */
export function clearedCookie({ publicUrl }: Configuration): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') }
}

export function newCookie(
  configuration: Configuration,
  purpose: keyof typeof maxAges,
): CookieSerializeOptions {
  return { ...clearedCookie(configuration), maxAge: maxAges[purpose] }
}

/** Identifies the browser that started a sign-in. */
export const signInCookieName = (configuration: Configuration) => cookieName(configuration, 'sign-in')

export const signOutCookieName = (configuration: Configuration) => cookieName(configuration, 'sign-out')
