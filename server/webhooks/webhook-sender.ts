import { randomUUID } from 'node:crypto'
import { testEvent } from '#domain/webhooks/webhook-event.ts'
import { insertActivity } from '../activity/activity.queries.ts'
import type { Configuration } from '../configuration.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { WebhookDeliveriesTable } from '../database/tables.ts'
import { describeMessage } from './describe-message.ts'
import type { Resolve } from './find-addresses.ts'
import { postMessage } from './post-message.ts'
import { sayFailure, sayStatus } from './say-failure.ts'
import { endTurn, isAnyDeliveryDue, switchOff, type Turn, takeTurn } from './sending.queries.ts'
import { signedHeaders } from './sign.ts'
import { failWaiting, updateDelivery } from './webhooks.queries.ts'

// Sends what stands in the outbox, as jobs are done (docs/decisions/013-webhooks-outbox.md): whichever process is free takes
// a turn by a lease.

export type WebhookSender = {
  /** Begins with what is due now. */
  look(): Promise<void>
  /** The same, and resolves when nothing is left that is due. */
  work(): Promise<void>
  /** What is under way is given up, and sent again by whoever comes next. */
  close(): Promise<void>
}

export type SenderOptions = {
  onError(error: unknown): void
  /** How often to look; null is only when told. */
  pollMs?: number | null
  now?: () => number
  resolve?: Resolve
  timeoutMs?: number
}

/** So many endpoints at once. They mostly wait. */
const atOnce = 16

/** Section 'Deliverability and reliability' of Standard Webhooks. */
const pausesMs = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000]
const answerTimeoutMs = 15_000

/** Longer than a try takes. */
const leaseMs = 30_000

type Outcome = { status: number | null; error: string | null; tookMs: number }

export function startWebhookSender(
  database: Database,
  { publicUrl, insideReceivers: inside }: Pick<Configuration, 'publicUrl' | 'insideReceivers'>,
  { onError, pollMs = 500, now = Date.now, resolve, timeoutMs = answerTimeoutMs }: SenderOptions,
): WebhookSender {
  const owner = randomUUID()
  const closing = new AbortController()
  const guard = { inside, resolve }
  const underWay = new Set<Promise<void>>()
  let isAway = false
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  async function look() {
    try {
      if (underWay.size < atOnce && (await isAnyDeliveryDue(database.read, now()))) goOn()
      isAway = false
    } catch (error) {
      tellAway(error)
    }
  }

  function tellAway(error: unknown) {
    if (!isAway) onError(error)
    isAway = true
  }

  function goOn() {
    if (underWay.size >= atOnce || closing.signal.aborted) return
    const working = takeTurns()
      .catch(tellAway)
      .finally(() => underWay.delete(working))
    underWay.add(working)
  }

  async function takeTurns() {
    while (!closing.signal.aborted) {
      const turn = await takeTurn(database, { owner, now: now(), leaseMs })
      if (!turn) return
      // Where one is due there may be another, and this one may take its time.
      goOn()
      const outcome = await send(turn)
      await database.write(async (transaction) => {
        const state = await endTurn(transaction, turn, owner)
        // Who has it now tells what became of it.
        if (outcome && (state !== 'lost' || outcome.error === null))
          await note(transaction, turn, outcome, state === 'on')
      })
    }
  }

  /** Null where this process ends before it knows. */
  async function send({ endpoint, delivery }: Turn): Promise<Outcome | null> {
    const body = describeMessage(delivery, publicUrl)
    const at = now()
    const isFormerValid = endpoint.former_secret !== null && (endpoint.former_until ?? 0) > at
    const secrets = [endpoint.secret, ...(isFormerValid ? [endpoint.former_secret as string] : [])]
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'POA-Land-Management-Webhooks',
      ...signedHeaders({ id: delivery.id, body, at }, secrets),
    }
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    const timeout = new AbortController()
    const timing = setTimeout(() => timeout.abort(), timeoutMs)
    try {
      const signal = AbortSignal.any([closing.signal, timeout.signal])
      const status = await postMessage({ url: endpoint.url, headers, body, guard, signal })
      return { status, error: sayStatus(status), tookMs: took() }
    } catch (error) {
      if (closing.signal.aborted) return null
      return { status: null, error: sayFailure(error as Error, timeout.signal.aborted), tookMs: took() }
    } finally {
      clearTimeout(timing)
    }
  }

  async function note(
    transaction: WriteTransaction,
    turn: Turn,
    { status, error, tookMs }: Outcome,
    isOn: boolean,
  ) {
    const { endpoint, delivery } = turn
    const at = now()
    const isGone = status === 410
    const pauseMs = error === null || isGone || !isOn ? undefined : pauseAfter(delivery)
    const isNews = await updateDelivery(transaction, delivery, {
      tries: delivery.tries + 1,
      tried_at: at,
      status,
      error,
      took_ms: tookMs,
      delivered_at: error === null ? at : null,
      next_try_at: pauseMs === undefined ? null : at + pauseMs,
    })
    const isOver = error !== null && pauseMs === undefined && delivery.event !== testEvent
    if (!isNews || !isOn || !(isGone || isOver)) return
    const { map_id: mapId, id, url } = endpoint
    const reason = isGone ? 'gone' : 'failing'
    if (!(await switchOff(transaction, turn, { off_at: at, off_reason: reason }))) return
    await failWaiting(transaction, { mapId, id })
    const details = { host: new URL(url).host, reason }
    await insertActivity(transaction, { mapId, action: 'webhook.stopped', subject: id, details }, at)
  }

  /** A test is tried once: whoever sends it is looking. */
  const pauseAfter = ({ event, tries }: WebhookDeliveriesTable) =>
    event === testEvent ? undefined : pausesMs[tries]

  function schedule() {
    if (closing.signal.aborted || pollMs === null) return
    timer = setTimeout(() => {
      looking = look().then(schedule)
    }, pollMs)
    timer.unref()
  }
  schedule()

  return {
    look,
    async work() {
      await look()
      while (underWay.size > 0) await Promise.all(underWay)
    },
    async close() {
      closing.abort()
      clearTimeout(timer)
      await looking
      await Promise.all(underWay)
    },
  }
}
