import type { Database } from '../database/database.ts'
import {
  hashOfMap,
  isReturnOf,
  type ReturnName,
  returningReport,
  returningSubscription,
} from '../mail/return-path.ts'
import { readMapIds } from '../maps/maps.queries.ts'
import { lockReport, readReport, updateReport } from '../reports/reports.queries.ts'
import { endSubscriptionsOf } from '../subscriptions/subscriptions.commands.ts'
import {
  lockSubscription,
  readSubscription,
  updateSubscription,
} from '../subscriptions/subscriptions.queries.ts'
import type { Bounce } from './read-bounce.ts'

/** `ended`: the address gets no more of these emails. `unknown`: the subscription or report no longer exists. */
export const bounceOutcomes = ['ended', 'counted', 'ignored', 'unknown'] as const
export type BounceOutcome = (typeof bounceOutcomes)[number]

const maxDelays = 3
const windowMs = 7 * 86_400_000

type Found = Pick<ReturnName, 'kind'> & { mapId: string; id: string; email: string }

export async function recordBounce(database: Database, { names, status }: Bounce): Promise<BounceOutcome> {
  const found = await findReturning(database, names)
  if (!found) return 'unknown'
  if (status.startsWith('2')) return 'ignored'
  return found.kind === 'subscription'
    ? recordOfSubscription(database, found, status)
    : recordOfReport(database, found, status)
}

async function findReturning(database: Database, names: readonly ReturnName[]): Promise<Found | undefined> {
  const mapIds = await readMapIds(database)
  for (const name of names)
    for (const mapId of mapIds.filter((one) => hashOfMap(one) === name.mapHash))
      for (const id of name.ids) {
        const key = { mapId, id }
        const returning = await readReturning(database, name.kind, key)
        if (returning && isReturnOf(name, returning)) return { ...key, ...returning }
      }
  return undefined
}

async function readReturning(
  { read }: Database,
  kind: ReturnName['kind'],
  key: { mapId: string; id: string },
) {
  if (kind === 'report') {
    const row = await readReport(read, key)
    return row && returningReport(row)
  }
  const row = await readSubscription(read, key)
  return row && returningSubscription(row)
}

/** Null: too many temporary bounces, or one for good. */
function delaysAfter(delays: string | null, status: string): string | null {
  const now = Date.now()
  const recent = (JSON.parse(delays ?? '[]') as number[]).filter((at) => at > now - windowMs)
  return status.startsWith('5') || recent.length + 1 >= maxDelays ? null : JSON.stringify([...recent, now])
}

async function recordOfSubscription(
  database: Database,
  { mapId, id, email }: Found,
  status: string,
): Promise<BounceOutcome> {
  const outcome = await database.write(async (transaction): Promise<BounceOutcome> => {
    const row = await lockSubscription(database, transaction, { mapId, id })
    if (!row || row.ended_at !== null) return 'ignored'
    const delays = delaysAfter(row.delays, status)
    if (delays === null) return 'ended'
    await updateSubscription(transaction, { mapId, id }, { delays })
    return 'counted'
  })
  // Not only this one: none reaches the address.
  if (outcome === 'ended') await endSubscriptionsOf(database, { mapId, email }, 'all')
  return outcome
}

const recordOfReport = (database: Database, { mapId, id, email }: Found, status: string) =>
  database.write(async (transaction): Promise<BounceOutcome> => {
    const row = await lockReport(database, transaction, { mapId, id })
    if (row?.email !== email) return 'ignored'
    const delays = delaysAfter(row.delays, status)
    const set = (columns: Parameters<typeof updateReport>[2]) =>
      updateReport(transaction, { mapId, id }, columns)
    if (delays !== null) {
      await set({ delays })
      return 'counted'
    }
    await set({ email: null, email_secret: null, mail_problem: `The email bounced (${status}).` })
    return 'ended'
  })
