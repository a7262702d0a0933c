import type { CompiledQuery, KyselyPlugin } from 'kysely'
import type { ReadDatabase } from '#server/database/database.ts'

export async function queriesOf(
  read: ReadDatabase,
  work: (read: ReadDatabase) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const queries: CompiledQuery[] = []
  const listening: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      queries.push(read.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work(read.withPlugin(listening))
  return queries
}
