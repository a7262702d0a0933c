import { setTimeout as wait } from 'node:timers/promises'
import { type Audience, activityAudience } from '#domain/activity/activity-rules.ts'
import { readActivitySince, readCurrentVersions } from '../activity/activity.queries.ts'
import type { Database, Extent } from '../database/database.ts'

/** Carries no content: readers request it, which checks their rights again. */
export type Change = {
  id: string
  mapId: string
  action: string
  audience: Audience
  subject: string | null
  version: number | null
  /** With a read replica: a database at this position has the change. */
  position: number | null
  extent: Extent | null
}

export type ChangeFeed = {
  listen(listener: (change: Change) => void): () => void
  poll(): Promise<void>
  /** Resolves when this server knows the changes up to a position that a reader has `seen`, or after a second. */
  noticed(seen: number): Promise<void>
  /** After a write of this server: its readers need not wait for the next poll. */
  pollSoon(): void
  close(): Promise<void>
}

const pollIntervalMs = 500
/** At least, however often the server writes: each poll reads the changes of half a minute. */
const minIntervalMs = 100

/** Without the primary, a server cannot catch up. */
const catchUpMs = 1_000

/** A transaction may commit this long after the time in its activity. */
const overlapMs = 30_000

/**
 * Follows the activity table. Rows can become visible out of order, so each poll covers the last half minute and skips
 * rows that it has seen.
 */
export function startChangeFeed(database: Database, onError: (error: unknown) => void): ChangeFeed {
  const listeners = new Set<(change: Change) => void>()
  const seen = new Map<string, number>()
  let from = Date.now()
  let position: number | null = null
  let isClosed = false
  let isAway = false
  let polledAt = 0
  let isWanted = false
  let isPolling = false
  let polling: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let catchingUp: Promise<void> | undefined

  /** Always from the primary, even if a request that reads from the replica waits for it. */
  const readNewChanges = () => database.replica?.readPrimary(readFromPrimary) ?? readFromPrimary()

  async function readFromPrimary() {
    try {
      const now = Date.now()
      const rows = await readActivitySince(database.read, from - overlapMs)
      const news = rows.filter(({ id }) => !seen.has(id))
      const versions = isFirstPoll ? null : await readCurrentVersions(database.read, news)
      const isMissing = catchingUp !== undefined || position === null
      if (database.replica && (news.length > 0 || isMissing)) {
        position = await database.replica.position()
        // Before listeners drop what they cached, so that nothing older takes its place.
        database.replica.require(position)
      }
      for (const { id, at, map_id: mapId, action, subject, west, south, east, north, details } of news) {
        seen.set(id, at)
        if (!versions) continue
        const extent =
          west === null || south === null || east === null || north === null
            ? null
            : { west, south, east, north }
        const version = versions.get(id) ?? null
        const audience = activityAudience(action, JSON.parse(details))
        for (const listener of listeners)
          listener({ id, mapId, action, audience, subject, version, position, extent })
      }
      isFirstPoll = false
      isAway = false
      from = now
      for (const [id, at] of seen) if (at < from - 2 * overlapMs) seen.delete(id)
    } catch (error) {
      if (!isAway) onError(error)
      isAway = true
    }
    polledAt = Date.now()
  }
  let isFirstPoll = true

  function poll(): Promise<void> {
    polling = polling.then(readNewChanges)
    return polling
  }

  async function pollInTurn() {
    isPolling = true
    isWanted = false
    await poll()
    isPolling = false
    schedule()
  }

  function schedule() {
    if (isClosed) return
    clearTimeout(timer)
    const waitMs = polledAt - Date.now() + (isWanted ? minIntervalMs : pollIntervalMs)
    timer = setTimeout(pollInTurn, Math.max(0, waitMs))
    timer.unref()
  }
  void pollInTurn()

  return {
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    poll,
    async noticed(seen) {
      if (position !== null && position >= seen) return
      let isLate = false
      const late = wait(catchUpMs, undefined, { ref: false }).then(() => {
        isLate = true
      })
      // A poll under way may have begun before the change. A position after two was never one of this database.
      for (let polls = 0; polls < 2 && !isLate && (position === null || position < seen); polls++) {
        catchingUp ??= wait(Math.max(0, polledAt + minIntervalMs - Date.now()))
          .then(poll)
          .finally(() => {
            catchingUp = undefined
          })
        await Promise.race([catchingUp, late])
      }
    },
    pollSoon() {
      isWanted = true
      if (!isPolling) schedule()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await polling
    },
  }
}
