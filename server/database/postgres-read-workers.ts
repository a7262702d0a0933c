import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { NotAnsweredError } from '../domain-error.ts'
import type { ReadDatabase } from './database.ts'
import { FairQueue, type QueueClient, type WorkerLimits } from './fair-queue.ts'
import type { Tables } from './tables.ts'

const canceled = '57014'

export class PostgresReadWorkers {
  private readonly pool: pg.Pool
  private readonly others: pg.Pool
  private readonly turns: FairQueue
  /** The backend's process id, read by SQL because a pooler reports another one. */
  private readonly processIds = new WeakMap<pg.PoolClient, number>()

  constructor(pool: pg.Pool, others: pg.Pool, limits: WorkerLimits) {
    this.pool = pool
    this.others = others
    this.turns = new FairQueue(limits)
  }

  read<Result>(client: QueueClient, work: (read: ReadDatabase) => Promise<Result>): Promise<Result> {
    return this.turns.take(client, async (signal) => {
      const client = await this.pool.connect()
      let isCanceled: Promise<unknown> | undefined
      let cancel = () => {}
      try {
        const processId = await this.processIdOf(client)
        cancel = () => {
          isCanceled = this.cancel(processId)
        }
        signal.addEventListener('abort', cancel)
        signal.throwIfAborted()
        return await work(kyselyOn(client))
      } catch (error) {
        throw isEnded(error) ? new NotAnsweredError('too long') : error
      } finally {
        signal.removeEventListener('abort', cancel)
        client.release(isCanceled !== undefined && !(await canGoOn(client, isCanceled)))
      }
    })
  }

  private async cancel(processId: number) {
    await this.others.query('select pg_cancel_backend($1)', [processId]).catch(() => {})
  }

  private async processIdOf(client: pg.PoolClient): Promise<number> {
    const cached = this.processIds.get(client)
    if (cached !== undefined) return cached
    const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id')
    const { id } = rows[0] as { id: number }
    this.processIds.set(client, id)
    return id
  }

  async close() {
    this.turns.close()
    await this.pool.end()
  }
}

const isEnded = (error: unknown) => (error as { code?: unknown }).code === canceled

async function canGoOn(client: pg.PoolClient, isCanceled: Promise<unknown>): Promise<boolean> {
  await isCanceled
  return client.query('select 1').then(() => true, isEnded)
}

function kyselyOn(client: pg.PoolClient): Kysely<Tables> {
  const connection = { query: client.query.bind(client), release: () => {} }
  const pool = { connect: async () => connection, end: async () => {}, options: {} }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
