import { createHash } from 'node:crypto'
import type { Person } from '#domain/access/session.schema.ts'
import type { Client, NewClient } from '#domain/clients/client.schema.ts'
import { idsForName, slugOf } from '#domain/clients/client-slug.ts'
import { recordActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import { KeyReusedError } from '../domain-error.ts'
import { readAnyClient } from './client-rows.queries.ts'
import { forgetKeysBefore, keepAnswer, noteKey, readKey } from './idempotency.queries.ts'
import { insertClientOfMap, insertMapUnlessThere, readMapIdsBetween } from './store-clients.queries.ts'

export function addClient(
  database: Database,
  person: Person,
  fields: NewClient,
  key: string | undefined,
): Promise<Client> {
  return database.write((transaction) => {
    const add = () => addClientIn(transaction, person, fields)
    if (key === undefined) return add()
    const request = ['add client', fields.name, fields.location]
    return answerOnce(transaction, { personId: person.id, key, request }, 201, add)
  })
}

async function addClientIn(transaction: WriteTransaction, person: Person, fields: NewClient) {
  const now = Date.now()
  const id = await makeMap(transaction, fields.name, now)
  await insertClientOfMap(transaction, { id, ...fields, thumbnail: null }, now)
  const { name, location } = fields
  const activity = { mapId: id, action: 'client.added', actor: person, subject: id } as const
  await recordActivity(transaction, { ...activity, details: { name, location } }, now)
  const client = await readAnyClient(transaction, id)
  if (!client) throw new Error(`client ${id} is gone in the transaction that added it`)
  return client
}

async function makeMap(transaction: WriteTransaction, name: string, now: number): Promise<string> {
  const slug = slugOf(name)
  // Leaves room for a number.
  const stem = slug.slice(0, 70)
  const taken = await readMapIdsBetween(transaction, stem, `${stem}~`)
  for (const id of idsForName(name)) {
    // Another transaction may insert the same id; the insert decides.
    if (!taken.has(id) && (await insertMapUnlessThere(transaction, id, now))) return id
  }
  throw new Error('unreachable: there is always another number')
}

const retentionMs = 86_400_000

type IdempotentRequest = {
  personId: string
  key: string
  request: unknown
}

/**
 * Runs `work` once per key and returns the first answer for repeated requests; concurrent requests wait for
 * the row lock. Throws if the key was used for a different request.
 */
async function answerOnce<Answer>(
  transaction: WriteTransaction,
  { personId, key, request }: IdempotentRequest,
  status: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const now = Date.now()
  const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex')
  await forgetKeysBefore(transaction, now - retentionMs)
  if (!(await noteKey(transaction, { personId, key, requestHash, status }, now))) {
    const first = await readKey(transaction, { personId, key })
    if (first.request_hash !== requestHash)
      throw new KeyReusedError('This Idempotency-Key was already used for another request.')
    return JSON.parse(first.answer) as Answer
  }
  const answer = await work()
  await keepAnswer(transaction, { personId, key }, JSON.stringify(answer))
  return answer
}
