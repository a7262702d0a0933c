import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { counted } from '#domain/values/wording.ts'
import type { BlobStore } from '../blob-stores/blob-store.ts'
import type { Database } from '../database/database.ts'
import { FixableError } from '../domain-error.ts'
import { requireOwnStore } from '../files/store-identity.ts'
import { ProblemError } from '../http/problem.ts'
import { countDeadJobs } from '../jobs/jobs.queries.ts'
import { pingDatabase } from './health.queries.ts'

const state = z.object({ status: z.literal('ok') })
const readiness = state.extend({
  notes: z.array(z.string()).optional().meta({ description: 'Non-urgent problems' }),
})

/** Load balancers wait a few seconds for an answer, and take silence for a server that is down. */
const patienceMs = 2_000

type Dependencies = { database: Database; store: BlobStore; stopping: AbortSignal | undefined }

export const healthRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, store, stopping },
  done,
) => {
  app.get('/health/live', {
    config: { access: 'public' },
    schema: { summary: 'Check that the server is running', tags: ['health'], response: { 200: state } },
    handler: async () => ({ status: 'ok' as const }),
  })
  app.get('/health/ready', {
    config: { access: 'public' },
    schema: {
      summary: 'Check that the database can be read (otherwise 503) and has disk space (otherwise 507)',
      description:
        'With a read replica, a server without the primary can be read. Also 503 while the server stops.',
      tags: ['health'],
      response: { 200: readiness },
    },
    async handler() {
      if (stopping?.aborted) throw new ProblemError(503, 'The server is stopping.')
      const [primary, reads] = await Promise.allSettled([
        answering(pingDatabase(database), 'the database'),
        database.replica?.read(() => answering(pingDatabase(database), 'the database')),
      ])
      if (reads.status === 'rejected') throw reads.reason
      if (primary.status === 'rejected') {
        if (!database.replica) throw primary.reason
        return {
          status: 'ok' as const,
          notes: ['Cannot reach the primary database: reading works, changes do not.'],
        }
      }
      await database.checkRoom()
      const dead = await countDeadJobs(database.read)
      const notes = dead.map(
        ({ kind, count }) =>
          `${counted(count, 'job')} of the kind ‘${kind}’ failed and will not be retried. ` +
          'Administrators can find the reason at /api/jobs.',
      )
      const fault = await storeFault(database, store)
      if (fault !== null) notes.push(`Photos and documents are not available from ${store.place}: ${fault}`)
      return { status: 'ok' as const, ...(notes.length > 0 ? { notes } : {}) }
    },
  })
  done()
}

async function answering<Result>(work: Promise<Result>, name: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error(`${name} does not answer`), { code: 'ETIMEDOUT' })
    timer = setTimeout(reject, patienceMs, error)
  })
  return Promise.race([work, silence]).finally(() => clearTimeout(timer))
}

async function storeFault(database: Database, store: BlobStore): Promise<string | null> {
  try {
    const fault = await answering(store.findFault(), 'it')
    if (fault === null) await answering(requireOwnStore(database, store), 'it')
    return fault
  } catch (error) {
    if (error instanceof FixableError) throw new ProblemError(503, error.message)
    return (error as Error).message
  }
}
