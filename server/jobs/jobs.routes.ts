import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { instant, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { notFound } from '../http/problem.ts'
import { deleteJob, listJobs } from './jobs.queries.ts'

const tags = ['jobs']
const maxListed = 100

const job = z.object({
  mapId,
  id: z.string(),
  kind: z.string(),
  key: z.string(),
  state: z.enum(['waiting', 'running', 'given-up']),
  attempts: z.number().int(),
  createdAt: instant,
  runAt: instant,
  lastError: z.string().nullable(),
})

export const jobRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.get('/api/jobs', {
    config: { access: 'administrator' },
    schema: {
      summary: 'List background jobs that are waiting, running, or failed',
      description: `At most ${maxListed}, failed jobs first. Completed jobs are not listed.`,
      tags,
      response: { 200: z.object({ items: z.array(job) }) },
    },
    async handler(_request, reply) {
      forOnePerson(reply)
      const now = Date.now()
      const rows = await listJobs(database.read, maxListed)
      return {
        items: rows.map((row) => ({
          mapId: row.map_id,
          id: row.id,
          kind: row.kind,
          key: row.job_key,
          state:
            row.dead_at !== null
              ? ('given-up' as const)
              : (row.locked_until ?? 0) > now
                ? ('running' as const)
                : ('waiting' as const),
          attempts: row.attempts,
          createdAt: new Date(row.created_at).toISOString(),
          runAt: new Date(row.run_at).toISOString(),
          lastError: row.last_error,
        })),
      }
    },
  })

  app.delete('/api/maps/:mapId/jobs/:id', {
    config: { access: 'administrator' },
    schema: {
      summary: 'Delete a failed job',
      tags,
      params: z.object({ mapId, id: z.string().max(80) }),
      response: { 204: z.undefined().meta({ description: 'Deleted' }) },
    },
    async handler(request, reply) {
      const { mapId: map_id, id } = request.params
      const isGone = await database.write((transaction) => deleteJob(transaction, { map_id, id }, 'dead'))
      if (!isGone) throw notFound(`Map ${map_id} has no failed job ${id}.`)
      return reply.status(204).send()
    },
  })
  done()
}
