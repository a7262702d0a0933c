import { createHash, createHmac } from 'node:crypto'
import type { ReportsTable, SubscriptionsTable } from '../database/tables.ts'
import { isEqualText } from '../http/is-equal-text.ts'

// The return path of an email to one person: `bounce+<id>.<mac>`. Some mail servers change its case, and it has at most
// 64 characters. Only emails to the address have the code, so strangers cannot end the emails of others.

export type Returning = {
  kind: 'subscription' | 'report'
  mapId: string
  /** A UUID, with or without hyphens. */
  id: string
  email: string
  secret: string
}

export const returningSubscription = (row: SubscriptionsTable): Returning => ({
  kind: 'subscription',
  mapId: row.map_id,
  ...{ id: row.id, email: row.email, secret: row.secret },
})

/** Null without an address. */
export const returningReport = ({
  map_id: mapId,
  id,
  email,
  key_hash: secret,
}: ReportsTable): Returning | null => (email === null ? null : { kind: 'report', mapId, id, email, secret })

const letters = { subscription: 's', report: 'r' } as const
/** The page makes ids without hyphens. */
const uuid = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const idLength = 26

export const hashOfMap = (mapId: string) => createHash('sha256').update(mapId).digest('hex').slice(0, 8)

const macOf = ({ kind, mapId, id, email, secret }: Returning) =>
  createHmac('sha256', secret)
    .update(JSON.stringify(['bounce', kind, mapId, id, email]))
    .digest('hex')
    .slice(0, 20)

/** The part before the @. Null for an id that is no UUID, which a client may have chosen. */
export function returnNameOf(returning: Returning): string | null {
  const { kind, mapId, id } = returning
  if (!uuid.test(id)) return null
  const short = BigInt(`0x${id.replaceAll('-', '')}`)
    .toString(32)
    .padStart(idLength, '0')
  return `bounce+${letters[kind]}${hashOfMap(mapId)}${short}.${macOf(returning)}`
}

/** `ids`: with and without hyphens. The code is right for one of them. */
export type ReturnName = { kind: Returning['kind']; mapHash: string; ids: readonly string[]; mac: string }

const name = /bounce\+([sr])([0-9a-f]{8})([0-9a-v]{26})\.([0-9a-f]{20})@/gi

/** Return paths in a text, at most `limit` different ones. Not yet checked. */
export function findReturnNames(text: string, limit: number): ReturnName[] {
  const found = new Map<string, ReturnName>()
  for (const [whole, letter, mapHash = '', short = '', mac = ''] of text.matchAll(name)) {
    if (found.size >= limit) break
    const number = [...short.toLowerCase()].reduce(
      (sum, digit) => sum * 32n + BigInt(Number.parseInt(digit, 32)),
      0n,
    )
    const hex = number.toString(16).padStart(32, '0')
    found.set(whole.toLowerCase(), {
      kind: letter?.toLowerCase() === 'r' ? 'report' : 'subscription',
      mapHash: mapHash.toLowerCase(),
      ids: [hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, '$1-$2-$3-$4-$5'), hex],
      mac: mac.toLowerCase(),
    })
  }
  return [...found.values()]
}

export const isReturnOf = ({ mac }: ReturnName, returning: Returning) => isEqualText(mac, macOf(returning))
