import { queryOptions } from '@tanstack/react-query'
import type { SessionAnswer } from '#domain/access/session.schema.ts'
import { addressWith } from './addresses.ts'
import { askSignedIn, getJson, RequestError, sendJson } from './http.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => getJson<SessionAnswer>('/api/session', {}, signal),
})

/** Before a download by a link, whose 401 the page would not see: asks the user to sign in again if the session ended. */
export const requireSession = () =>
  askSignedIn(async () => {
    const { person } = await getJson<SessionAnswer>('/api/session')
    if (person === null) throw new RequestError(401, 'Sign in first: the session ended.')
  })

/** Returns the address where the identity provider ends its own session. */
export function signOut(): Promise<{ redirectTo: string }> {
  return sendJson('DELETE', '/api/session')
}

/** Ends all sessions of the user, in all browsers. */
export function signOutEverywhere(): Promise<{ redirectTo: string }> {
  return sendJson('DELETE', '/api/sessions')
}

/** Address of the sign-in, which returns to `returnTo`, or closes its popup. */
export function signInAddress(returnTo: string, { isPopup = false } = {}): string {
  return addressWith('/sign-in', { returnTo, popup: isPopup ? '1' : undefined })
}
