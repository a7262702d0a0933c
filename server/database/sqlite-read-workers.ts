import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { startThreads, type Threads } from '../processes/threads.ts'
import type { ReadDatabase } from './database.ts'
import { FairQueue, type QueueClient, type WorkerLimits } from './fair-queue.ts'
import type { Tables } from './tables.ts'

export type WorkerQuery = { text: string; parameters: readonly unknown[] }
export type ReadWorkerData = { path: string; stopped: Int32Array<SharedArrayBuffer> }

/** SQLite blocks its thread, so these queries run in worker threads. */
export class SqliteReadWorkers {
  private readonly path: string
  private readonly turns: FairQueue
  private readonly readers: Reader[] = []
  private readonly free: Reader[] = []

  constructor(path: string, limits: WorkerLimits) {
    this.path = path
    this.turns = new FairQueue(limits)
  }

  read<Result>(client: QueueClient, work: (read: ReadDatabase) => Promise<Result>): Promise<Result> {
    return this.turns.take(client, async (signal) => {
      const reader = this.free.pop() ?? this.startReader()
      try {
        return await reader.work(signal, work)
      } finally {
        this.free.push(reader)
      }
    })
  }

  private startReader(): Reader {
    const reader = new Reader(this.path)
    this.readers.push(reader)
    return reader
  }

  async close() {
    this.turns.close()
    await Promise.all(this.readers.map((reader) => reader.close()))
  }
}

class Reader {
  private readonly stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  private readonly threads: Threads<WorkerQuery, unknown[]>
  private readonly database: Kysely<Tables>

  constructor(path: string) {
    const workerData: ReadWorkerData = { path, stopped: this.stopped }
    this.threads = startThreads(new URL('./sqlite-reader.worker.ts', import.meta.url), 1, { workerData })
    this.database = new Kysely<Tables>({ dialect: new WorkerDialect((query) => this.ask(query)) })
  }

  async work<Result>(signal: AbortSignal, work: (read: ReadDatabase) => Promise<Result>): Promise<Result> {
    Atomics.store(this.stopped, 0, 0)
    const stop = () => Atomics.store(this.stopped, 0, 1)
    signal.addEventListener('abort', stop)
    try {
      return await work(this.database)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  private async ask(query: WorkerQuery): Promise<unknown[]> {
    if (Atomics.load(this.stopped, 0) === 1) throw new Error('the work has ended')
    return this.threads.run(query)
  }

  async close() {
    await this.threads.close()
  }
}

type Ask = (query: WorkerQuery) => Promise<unknown[]>

class WorkerDialect implements Dialect {
  private readonly ask: Ask

  constructor(ask: Ask) {
    this.ask = ask
  }

  createDriver = () => new WorkerDriver(this.ask)
  createQueryCompiler = () => new SqliteQueryCompiler()
  createAdapter = () => new SqliteAdapter()
  createIntrospector = (database: Kysely<unknown>) => new SqliteIntrospector(database)
}

class WorkerDriver implements Driver {
  private readonly connection: WorkerConnection

  constructor(ask: Ask) {
    this.connection = new WorkerConnection(ask)
  }

  init = doNothing
  acquireConnection = async () => this.connection
  releaseConnection = doNothing
  destroy = doNothing
  beginTransaction = refuseTransaction
  commitTransaction = refuseTransaction
  rollbackTransaction = refuseTransaction
}

async function doNothing() {}

async function refuseTransaction(): Promise<never> {
  throw new Error('A worker runs single queries. Use readSnapshot for a view that does not change.')
}

class WorkerConnection implements DatabaseConnection {
  private readonly ask: Ask

  constructor(ask: Ask) {
    this.ask = ask
  }

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return { rows: (await this.ask({ text, parameters })) as Row[] }
  }

  // biome-ignore lint/correctness/useYield: rows are never streamed here.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('A worker returns all rows at once.')
  }
}
