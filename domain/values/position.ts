/**
 * Name of the header with the position of a change, and of the cookie with the newest position that the page has: every
 * server that answers has that change. Only with a read replica. Not secret.
 */
export const positionName = 'poa-position'
