import { availableParallelism } from 'node:os'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { startThreads, type Threads } from '../threads.ts'

export type AsideQuestion = { text: string; parameters: readonly unknown[] }

/** Others use the processor, too; one alone would let a second long question wait for a first. */
const mostThreads = 4

/** SQLite answers in the thread that asks it. Whoever asks through this dialect goes on with other work meanwhile. */
export class SqliteAsideDialect implements Dialect {
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  createDriver = () => new AsideDriver(this.path)
  createQueryCompiler = () => new SqliteQueryCompiler()
  createAdapter = () => new SqliteAdapter()
  createIntrospector = (database: Kysely<unknown>) => new SqliteIntrospector(database)
}

/** The threads are started by the first question: many a process never has a long one. */
class AsideDriver implements Driver {
  private readonly path: string
  private threads: Threads<AsideQuestion, unknown[]> | undefined

  constructor(path: string) {
    this.path = path
  }

  async init() {
    // Nothing to do before the first question.
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.threads ??= startThreads<AsideQuestion, unknown[]>(
      new URL('./sqlite-reader.worker.ts', import.meta.url),
      Math.max(1, Math.min(mostThreads, availableParallelism() - 1)),
      { workerData: this.path },
    )
    return new AsideConnection(this.threads)
  }

  async releaseConnection() {
    // The threads take the questions of all.
  }

  async destroy() {
    await this.threads?.close()
  }

  beginTransaction = refuseTransaction
  commitTransaction = refuseTransaction
  rollbackTransaction = refuseTransaction
}

async function refuseTransaction(): Promise<never> {
  throw new Error('Questions aside are single ones: readSnapshot has a view that does not change.')
}

class AsideConnection implements DatabaseConnection {
  private readonly threads: Threads<AsideQuestion, unknown[]>

  constructor(threads: Threads<AsideQuestion, unknown[]>) {
    this.threads = threads
  }

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return { rows: (await this.threads.ask({ text, parameters })) as Row[] }
  }

  // biome-ignore lint/correctness/useYield: nobody reads row by row here.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Questions aside are answered as a whole.')
  }
}
