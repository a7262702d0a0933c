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

export const healthRoutes: FastifyPluginCallbackZod<{ database: Database; store: BlobStore }> = (
  app,
  { database, store },
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
      summary: 'Check that the database is available (otherwise 503) and has disk space (otherwise 507)',
      tags: ['health'],
      response: { 200: readiness },
    },
    async handler() {
      await pingDatabase(database)
      await database.checkRoom()
      const dead = await countDeadJobs(database.read)
      const notes = dead.map(
        ({ kind, count }) =>
          `${counted(count, 'job')} of the kind ‘${kind}’ failed and will not be retried. ` +
          'Administrators can find the reason at /api/jobs.',
      )
      const fault = (await store.findFault()) ?? (await identityFault(database, store))
      if (fault !== null) notes.push(`Photos and documents are not available from ${store.place}: ${fault}`)
      return { status: 'ok' as const, ...(notes.length > 0 ? { notes } : {}) }
    },
  })
  done()
}

async function identityFault(database: Database, store: BlobStore): Promise<null> {
  try {
    await requireOwnStore(database, store)
    return null
  } catch (error) {
    if (error instanceof FixableError) throw new ProblemError(503, error.message)
    throw error
  }
}
