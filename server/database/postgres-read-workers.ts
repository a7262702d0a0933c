import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { NotAnsweredError } from '../domain-error.ts'
import type { ReadDatabase } from './database.ts'
import { type Asker, FairQueue, type WorkerLimits } from './fair-queue.ts'
import type { Tables } from './tables.ts'

/** What the server answers where it ended a question: at its time limit, or because it was told to. */
const canceled = '57014'

/** What may take long is asked on connections of its own, and canceled when nobody waits for it any more. */
export class PostgresReadWorkers {
  private readonly pool: pg.Pool
  private readonly others: pg.Pool
  private readonly turns: FairQueue
  /** The server's number of a connection, asked by SQL: a pooler would report a different one. */
  private readonly processIds = new WeakMap<pg.PoolClient, number>()

  /** `others` has the connections that a question is canceled through. */
  constructor(pool: pg.Pool, others: pg.Pool, limits: WorkerLimits) {
    this.pool = pool
    this.others = others
    this.turns = new FairQueue(limits)
  }

  read<Result>(asker: Asker, work: (read: ReadDatabase) => Promise<Result>): Promise<Result> {
    return this.turns.take(asker, async (signal) => {
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

  /** Where that fails the server ends the question at its time limit. */
  private async cancel(processId: number) {
    await this.others.query('select pg_cancel_backend($1)', [processId]).catch(() => {})
  }

  private async processIdOf(client: pg.PoolClient): Promise<number> {
    const known = this.processIds.get(client)
    if (known !== undefined) return known
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

/** A cancellation may arrive late: then it hits this harmless query. */
async function canGoOn(client: pg.PoolClient, isCanceled: Promise<unknown>): Promise<boolean> {
  await isCanceled
  return client.query('select 1').then(() => true, isEnded)
}

/** Everything on one connection, which is not given back in between. */
function kyselyOn(client: pg.PoolClient): Kysely<Tables> {
  const kept = { query: client.query.bind(client), release: () => {} }
  const pool = { connect: async () => kept, end: async () => {}, options: {} }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}
