import { createHmac } from 'node:crypto'
import type { Database } from '../database/database.ts'
import { addressGroup } from '../http/address-group.ts'
import { requireReportSecret } from './report-secrets.queries.ts'

/** The address itself is never stored. */
export async function hashSender(database: Database, mapId: string, ip: string): Promise<string> {
  const secret = await requireReportSecret(database, mapId)
  return createHmac('sha256', secret)
    .update(`sender ${addressGroup(ip)}`)
    .digest('hex')
    .slice(0, 32)
}
