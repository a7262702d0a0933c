import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

// Positions are bytes of PostgreSQL's write-ahead log: a server at a position has all changes up to it.

/** From the first read of the primary on, a piece of work stays there: it would go back in time on the replica. */
type Reading = { isOnPrimary: boolean; seen: number }

const reading = new AsyncLocalStorage<Reading>()

export type ReadReplica = {
  /** Reads the position of the primary: all changes that are visible now come before it. */
  position(): Promise<number>
  /** From now on, nothing is read from the replica before it has the changes up to `position`. */
  require(position: number): void
  required(): number | undefined
  /**
   * Reads in `work` use the replica, if it has all changes that are required, and those up to `seen`. All other reads
   * use the primary.
   */
  read<Result>(work: () => Result, seen?: number): Result
  /** Inside `read`, for what must not be late, such as rights. */
  readPrimary<Result>(work: () => Result): Result
}

/** A replica that vanishes is noticed this soon. */
const checkedEveryMs = 1_000
const checkTimeoutMs = 1_000
const leftAloneMs = 5_000

export class ReplicaChoice implements ReadReplica {
  private readonly primary: pg.Pool
  private readonly replica: pg.Pool
  private needed: number | undefined
  private replayed = 0
  private checkedAt = 0
  private awayUntil = 0
  private checking: Promise<void> | undefined

  constructor(primary: pg.Pool, replica: pg.Pool) {
    this.primary = primary
    this.replica = replica
  }

  position() {
    return positionOf(this.primary)
  }

  require(position: number) {
    this.needed = Math.max(position, this.needed ?? 0)
  }

  required() {
    return this.needed
  }

  read<Result>(work: () => Result, seen = 0): Result {
    return reading.run({ isOnPrimary: false, seen }, work)
  }

  readPrimary<Result>(work: () => Result): Result {
    return reading.run({ isOnPrimary: true, seen: 0 }, work)
  }

  /** Work that writes reads its own changes afterwards. */
  stayOnPrimary() {
    const current = reading.getStore()
    if (current) current.isOnPrimary = true
  }

  async connect(): Promise<pg.PoolClient> {
    if (await this.isChosen()) {
      try {
        return await this.replica.connect()
      } catch {
        this.leaveAlone()
      }
    }
    return this.primary.connect()
  }

  async isChosen(): Promise<boolean> {
    const current = reading.getStore()
    if (!current || current.isOnPrimary) return false
    current.isOnPrimary = !(await this.isUpToDate())
    return !current.isOnPrimary
  }

  private async isUpToDate(): Promise<boolean> {
    if (this.needed === undefined || Date.now() < this.awayUntil) return false
    const required = Math.max(this.needed, reading.getStore()?.seen ?? 0)
    if (this.replayed < required || Date.now() > this.checkedAt + checkedEveryMs) {
      this.checking ??= this.check().finally(() => {
        this.checking = undefined
      })
      await this.checking
    }
    return Date.now() >= this.awayUntil && this.replayed >= required
  }

  private async check() {
    try {
      this.replayed = await positionOf(this.replica)
      this.checkedAt = Date.now()
    } catch {
      this.leaveAlone()
    }
  }

  private leaveAlone() {
    this.awayUntil = Date.now() + leftAloneMs
  }
}

/**
 * Visible changes have been written to disk, unless the primary confirms changes without that. Records in memory are not
 * counted: they may be lost with the primary, and no replica would ever have them.
 */
async function positionOf(pool: pg.Pool): Promise<number> {
  const query: pg.QueryConfig & { query_timeout: number } = {
    text: `select cast(pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
      when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
      else pg_current_wal_flush_lsn() end, '0/0') as double precision) as position`,
    query_timeout: checkTimeoutMs,
  }
  const { rows } = await pool.query<{ position: number }>(query)
  return (rows[0] as { position: number }).position
}
