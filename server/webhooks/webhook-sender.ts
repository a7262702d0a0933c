import { randomUUID } from 'node:crypto'
import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { type SentEvent, testEvent } from '#domain/webhooks/webhook-event.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { WebhookDeliveriesTable } from '../database/tables.ts'
import { type LeaseLoop, startLeaseLoop } from '../jobs/lease-loop.ts'
import type { Configuration } from '../settings/configuration.ts'
import { ForbiddenAddressError, findAddresses, type Guard, type Resolve } from './find-addresses.ts'
import { signedHeaders } from './sign.ts'
import {
  failWaiting,
  isAnyDeliveryDue,
  releaseEndpoint,
  switchOff,
  type Turn,
  takeTurn,
  updateDelivery,
} from './webhooks.queries.ts'

// Sends the deliveries of the outbox: docs/decisions/013-webhooks-outbox.md.

export type SenderOptions = {
  onError(error: unknown): void
  pollMs?: number | null
  now?: () => number
  resolve?: Resolve
  timeoutMs?: number
}

const maxAtOnce = 16

/** Section 'Deliverability and reliability' of Standard Webhooks. */
const pausesMs = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000]
const answerTimeoutMs = 15_000

/** Longer than one attempt takes, so that it needs no renewal. */
const leaseMs = 30_000

type Outcome = { status: number | null; error: string | null; tookMs: number }

export function startWebhookSender(
  database: Database,
  { publicUrl, insideReceivers: inside }: Pick<Configuration, 'publicUrl' | 'insideReceivers'>,
  { onError, pollMs = 500, now = Date.now, resolve, timeoutMs = answerTimeoutMs }: SenderOptions,
): LeaseLoop {
  const owner = randomUUID()
  const closing = new AbortController()
  const guard = { inside, resolve }

  async function take(sendingCount: number): Promise<Turn | undefined> {
    if (sendingCount >= maxAtOnce || closing.signal.aborted) return undefined
    if (!(await isAnyDeliveryDue(database.read, now()))) return undefined
    return takeTurn(database, { owner, now: now(), leaseMs })
  }

  async function run(turn: Turn) {
    const outcome = await send(turn)
    await database.write(async (transaction) => {
      const state = await releaseEndpoint(transaction, turn, owner)
      // A process that took over a lost lease records its own outcome; only a success is certain.
      if (outcome && (state !== 'lost' || outcome.error === null))
        await record(transaction, turn, outcome, state === 'on')
    })
  }

  async function send({ endpoint, delivery }: Turn): Promise<Outcome | null> {
    const body = describeMessage(delivery, publicUrl)
    const at = now()
    const isPreviousValid = endpoint.former_secret !== null && (endpoint.former_until ?? 0) > at
    const secrets = [endpoint.secret, ...(isPreviousValid ? [endpoint.former_secret as string] : [])]
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'POA-Land-Management-Webhooks',
      ...signedHeaders({ id: delivery.id, body, at }, secrets),
    }
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const signal = AbortSignal.any([closing.signal, timeout])
      const status = await postMessage({ url: endpoint.url, headers, body, guard, signal })
      return { status, error: explainStatus(status), tookMs: took() }
    } catch (error) {
      if (closing.signal.aborted) return null
      return { status: null, error: explainFailure(error as Error, timeout.aborted), tookMs: took() }
    }
  }

  async function record(
    transaction: WriteTransaction,
    turn: Turn,
    { status, error, tookMs }: Outcome,
    isOn: boolean,
  ) {
    const { endpoint, delivery } = turn
    const at = now()
    const isGone = status === 410
    const pauseMs = error === null || isGone || !isOn ? undefined : pauseAfter(delivery)
    const isRecorded = await updateDelivery(transaction, delivery, {
      tries: delivery.tries + 1,
      tried_at: at,
      status,
      error,
      took_ms: tookMs,
      delivered_at: error === null ? at : null,
      next_try_at: pauseMs === undefined ? null : at + pauseMs,
    })
    const hasFailed = error !== null && pauseMs === undefined && delivery.event !== testEvent
    if (!isRecorded || !isOn || !(isGone || hasFailed)) return
    const { map_id: mapId, id, url } = endpoint
    const reason = isGone ? 'gone' : 'failing'
    if (!(await switchOff(transaction, turn, { off_at: at, off_reason: reason }))) return
    await failWaiting(transaction, { mapId, id })
    const details = { host: new URL(url).host, reason }
    await insertActivity(transaction, { mapId, action: 'webhook.stopped', subject: id, details }, at)
  }

  const pauseAfter = ({ event, tries }: WebhookDeliveriesTable) =>
    event === testEvent ? undefined : pausesMs[tries]

  const loop = startLeaseLoop({ take, run, onError, pollMs })
  return {
    ...loop,
    close() {
      closing.abort()
      return loop.close()
    },
  }
}

// Texts for the managers of a map. They contain nothing that the receiver sent.

function explainStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `Status ${status}. Redirects are not followed.`
  if (status === 410) return 'Status 410. The receiver no longer exists.'
  return `Status ${status}.`
}

const words: Record<string, string> = {
  ECONNREFUSED: 'Connection refused.',
  ECONNRESET: 'Connection reset.',
  ETIMEDOUT: 'Connection timed out.',
  EHOSTUNREACH: 'Host unreachable.',
  ENETUNREACH: 'Host unreachable.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is not signed by a trusted authority.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is not signed by a trusted authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate is not signed by a trusted authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate is not signed by a trusted authority.',
}

function explainFailure(error: Error & { code?: string }, isTimeout: boolean): string {
  if (isTimeout) return 'No response in time.'
  if (error instanceof ForbiddenAddressError) return `The address ${error.message}.`
  const { code } = error
  if (code === undefined) return 'The connection closed without a response.'
  return words[code] ?? `The connection failed (${code}).`
}

/** Contains no data: receivers request it at `link`, which is null if the subject was removed. */
function describeMessage(delivery: WebhookDeliveriesTable, publicUrl: string): string {
  const { map_id: mapId, event: type, at, subject, kind, version } = delivery
  const path = pathOf(type, subject)
  const link = path === null ? null : `${publicUrl}/api/maps/${mapId}${path}`
  return JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: { mapId, subject, kind, version, link },
  })
}

function pathOf(event: SentEvent, subject: string | null): string | null {
  switch (event) {
    case 'feature.added':
    case 'feature.changed':
      return `/features/${subject}`
    case 'feature.removed':
      return null
    case 'features.changed':
    case 'import.done':
    case 'import.undone':
      return '/features'
    case 'files.changed':
      return `/features/${subject}/files`
    case 'notes.changed':
      return `/incidents/${subject}/notes`
    case 'reports.changed':
      return '/reports'
    case 'drawings.changed':
      return '/drawings'
    case 'configuration.changed':
      return '/configuration'
    case 'map.changed':
    case 'test':
      return ''
  }
}

/** An answer is read up to here, and discarded. */
const maxDiscardedBytes = 64 * 1024

/** Reads the rest of an answer this long, so that the receiver sees no error. */
const lingerMs = 1_000

type Post = {
  url: string
  headers: Record<string, string>
  body: string
  guard: Guard
  signal: AbortSignal
}

/** Connects only to checked addresses; follows no redirect and uses no proxy. */
async function postMessage({ url, headers, body, guard, signal }: Post): Promise<number> {
  const addresses = await until(signal, findAddresses(url, guard))
  const address = new URL(url)
  const { Agent, request } = address.protocol === 'https:' ? https : http
  return new Promise((resolve, reject) => {
    const sending = request(address, {
      method: 'POST',
      // A new agent reuses no connection, and ignores proxies in the environment.
      agent: new Agent(),
      lookup: answering(addresses),
      headers: { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' },
      signal,
    })
    sending.on('response', (answer) => {
      // Only the status decides; the body is read and dropped.
      resolve(answer.statusCode ?? 0)
      const end = () => answer.destroy()
      const lingering = setTimeout(end, lingerMs)
      let length = 0
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > maxDiscardedBytes) end()
      })
      answer.on('close', () => clearTimeout(lingering))
      answer.on('error', () => {})
    })
    sending.on('error', reject)
    sending.on('close', () => reject(new Error('The connection closed without a response.')))
    sending.end(body)
  })
}

function answering(addresses: LookupAddress[]): LookupFunction {
  return (_hostName, { all }, callback) => {
    const [first] = addresses
    if (all) callback(null, addresses)
    else callback(null, first?.address ?? '', first?.family)
  }
}

/** The system's resolver has no timeout. */
function until<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}
