import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { localDay } from '#domain/values/time-zones.ts'
import { counted } from '#domain/values/wording.ts'
import { listClients } from '../clients/clients.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { readDueMaintenance } from '../features/maintenance/due.queries.ts'
import { type AnyJobKind, defineJob } from '../jobs/job-kind.ts'
import { renewJob } from '../jobs/jobs.queries.ts'
import { shortHash, toMail } from '../mail/mail-html.ts'
import { mailJob } from '../mail/mail-sender.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import { listReports } from '../reports/reports.queries.ts'
import { readWork } from '../work/work-list.queries.ts'
import { listNewIncidents } from './board-digest.queries.ts'
import { nextOperatorsDigestAt, operatorsDigestJobName } from './operators-digest.queries.ts'
import type { Place } from './subscription-jobs.ts'

const weekMs = 7 * 86_400_000
const clientsAtOnce = 100
const maxCounted = 1_000

/** A weekly email about all associations, to each address of the setting. Ends for addresses that leave it. */
export const operatorsDigestJob = ({ sender, publicUrl }: Place, operators: readonly string[]): AnyJobKind =>
  defineJob({
    ...mailJob,
    name: operatorsDigestJobName,
    payload: z.object({ email: z.string(), turn: z.string() }),
    async step({ database, mapId, payload: { email }, signal }) {
      if (!operators.includes(email)) return 'done'
      const now = Date.now()
      const { pressing, total } = await readAssociations(database, { now, signal })
      const day = new Date(now).toISOString().slice(0, 10)
      if (pressing.length > 0) {
        const heading = `${pressing.length} of ${counted(total, 'association')} with open work on ${day}`
        const list = pressing.map(({ id, name, words }) => ({
          text: `${name}: ${words.join(', ')}`,
          url: `${publicUrl}/config/map/${encodeURIComponent(id)}`,
        }))
        const small = 'This server sends this to the addresses in its setting OPERATORS_EMAIL.'
        await sender.send(
          toMail(
            { to: email, association: { name: 'POA Land Management', email: null }, publicUrl },
            { subject: heading, heading, parts: [{ heading: 'Associations', list }, { small }] },
            { message: `operators.${day}.${shortHash(email)}` },
          ),
        )
      }
      await database.write((transaction) => queueNext(transaction, mapId, email, now))
      return 'done'
    },
    giveUp: (transaction, { mapId, payload: { email } }) => queueNext(transaction, mapId, email, Date.now()),
  })

function queueNext(transaction: WriteTransaction, mapId: string, email: string, now: number) {
  const payload = { email, turn: randomUUID() }
  const next = { mapId, kind: operatorsDigestJobName, key: email, payload }
  return renewJob(transaction, { ...next, runAt: nextOperatorsDigestAt(now) }, now)
}

type Pressing = { id: string; name: string; words: string[]; weight: number }

/** Those with something to do, the most first. */
async function readAssociations(
  database: Database,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<{ pressing: Pressing[]; total: number }> {
  const pressing: Pressing[] = []
  const filter = { text: undefined, state: 'open', mapIds: undefined, signal } as const
  for (let offset = 0; ; offset += clientsAtOnce) {
    const page = { sort: 'name', limit: clientsAtOnce, offset, hasTotals: false } as const
    const { items, total, isFollowed } = await listClients(database, filter, page)
    for (const { id, name } of items) {
      const counts = await countWork(database, { mapId: id, now, signal })
      const words = counts
        .filter(([count]) => count > 0)
        .map(([count, one, more]) => counted(count, one, more))
      const weight = counts.reduce((sum, [count]) => sum + count, 0)
      if (words.length > 0) pressing.push({ id, name, words, weight })
    }
    if (!isFollowed) return { pressing: pressing.toSorted((one, other) => other.weight - one.weight), total }
  }
}

type Count = readonly [count: number, one: string, more: string]

async function countWork(
  database: Database,
  { mapId, now, signal }: { mapId: string; now: number; signal: AbortSignal },
): Promise<Count[]> {
  const { read } = database
  const today = localDay(now, await readTimeZone(database, mapId))
  const waiting = await listReports(read, { mapId, state: 'new' }, 1)
  const query = { mapId, since: now - weekMs, limit: maxCounted }
  const incidents = await database.readInWorker({ mapId, signal }, (reader) =>
    listNewIncidents(reader, query),
  )
  const overdue = await readWork(database, { mapId, signal }, { view: 'overdue', name: '', today, limit: 1 })
  const maintenance = await readDueMaintenance(read, mapId, { today, limit: 1 })
  return [
    [waiting.total, 'report to review', 'reports to review'],
    [overdue.total, 'overdue', 'overdue'],
    [incidents.length, 'new incident', 'new incidents'],
    [maintenance.due, 'maintenance task due within 30 days', 'maintenance tasks due within 30 days'],
  ]
}
