import type { FastifyReply } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type LandCheckAnswer, landCheck, maxCheckedParcels } from '#domain/land-check/land-check.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { Database } from '../database/database.ts'
import { disconnectSignal } from '../http/disconnect-signal.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import type { LandCheckResult } from './check-parcels.ts'
import { startLandCheck } from './land-check-job.ts'
import { deleteLandCheck, hasChangedSince, readLandCheck, readVersions } from './land-checks.queries.ts'

const path = '/api/maps/:mapId/land-check'
const config = { access: 'editor' } as const
const tags = ['features']
const params = z.object({ mapId })
const answer = z.object({ check: landCheck.nullable() })

const nothing: LandCheckResult = { parcels: 0, counts: {}, problems: [], unchecked: [] }

export const landCheckRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.post(path, {
    config,
    bodyLimit: 1024,
    schema: {
      summary: 'Check the borders of all parcels',
      description:
        'Finds overlaps, gaps, nearly equal and missing corners, spikes, and self-intersections, in the background: poll ' +
        `the state. Has no effect while a check is under way. For up to ${formatNumber(maxCheckedParcels)} parcels.`,
      tags,
      params,
      response: { 202: answer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      await startLandCheck(database, mapId)
      return reply.status(202).send({ check: await readAnswer(mapId, reply) })
    },
  })

  app.get(path, {
    config,
    schema: {
      summary: 'Get the progress and result of the latest check of parcels',
      tags,
      params,
      response: { 200: answer },
    },
    async handler(request, reply) {
      forOnePerson(reply)
      return { check: await readAnswer(request.params.mapId, reply) }
    },
  })

  app.delete(path, {
    config,
    schema: {
      summary: 'Cancel a check of parcels or delete its result',
      tags,
      params,
      response: { 204: z.undefined().meta({ description: 'Canceled or deleted' }) },
    },
    async handler(request, reply) {
      await database.write((transaction) => deleteLandCheck(transaction, request.params.mapId))
      return reply.status(204).send()
    },
  })
  done()

  async function readAnswer(mapId: string, reply: FastifyReply): Promise<LandCheckAnswer | null> {
    const row = await readLandCheck(database.read, mapId)
    if (!row) return null
    const { problems, ...facts }: LandCheckResult = row.result === null ? nothing : JSON.parse(row.result)
    const ids = [...new Set(problems.flatMap((problem) => problem.ids))]
    const caller = { mapId, signal: disconnectSignal(reply) }
    const current =
      ids.length === 0
        ? new Map<string, number>()
        : await database.readInWorker(caller, (read) => readVersions(read, mapId, ids))
    return {
      id: row.id,
      state: row.state,
      progress: row.progress,
      startedAt: new Date(row.created_at).toISOString(),
      finishedAt: row.finished_at === null ? null : new Date(row.finished_at).toISOString(),
      isOutdated: row.state === 'done' && (await hasChangedSince(database.read, mapId, row.created_at)),
      failure: row.failure,
      ...facts,
      problems: problems.map(({ versions, ...problem }) => ({
        ...problem,
        isCurrent: problem.ids.every((id, index) => current.get(id) === versions[index]),
      })),
    }
  }
}
