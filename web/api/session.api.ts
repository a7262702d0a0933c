import { queryOptions } from '@tanstack/react-query'
import type { SessionAnswer } from '#domain/access/session.schema.ts'
import { addressWith } from './addresses.ts'
import { askSignedIn, getJson, RequestError, sendJson } from './http.ts'

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => getJson<SessionAnswer>('/api/session', {}, signal),
})

/** For downloads by a link, whose 401 the page would not see. */
export const requireSession = () =>
  askSignedIn(async () => {
    const { person } = await getJson<SessionAnswer>('/api/session')
    if (person === null) throw new RequestError(401, 'Your session has ended. Sign in again.')
  })

/** Returns the sign-out address of the identity provider. */
export function signOut(): Promise<{ redirectTo: string }> {
  return sendJson('DELETE', '/api/session')
}

export function signOutEverywhere(): Promise<{ redirectTo: string }> {
  return sendJson('DELETE', '/api/sessions')
}

export function signInAddress(returnTo: string, { isPopup = false } = {}): string {
  return addressWith('/sign-in', { returnTo, popup: isPopup ? '1' : undefined })
}
