import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { counted } from '#domain/values/wording.ts'
import type { Database } from '../database/database.ts'
import { mayRequest } from '../http/access.ts'
import { addressGroup } from '../http/address-group.ts'
import { ProblemError } from '../http/problem.ts'
import type { Configuration } from '../settings/configuration.ts'
import { readReport } from './reports.queries.ts'

type Key = { mapId: string; id: string }

/**
 * Returns a function that throws a 429 beyond the limits, or only writes to the log if they are measured. Repeated
 * requests and staff are not counted.
 */
export function limitsOfReports(
  app: FastifyInstance,
  database: Database,
  { ofAddress, ofMap, isMeasuredOnly }: Configuration['reportLimits'],
) {
  const timeWindow = '1 hour'
  // One address alone cannot use up the limit of the map: its own comes first.
  const limits = [
    {
      count: app.createRateLimit({
        max: ofAddress,
        timeWindow,
        keyGenerator: ({ ip }: FastifyRequest) => `reports ${addressGroup(ip)}`,
      }),
      reached: `This address has sent ${counted(ofAddress, 'report')} within an hour`,
    },
    {
      count: app.createRateLimit({
        max: ofMap,
        timeWindow,
        keyGenerator: ({ params }: FastifyRequest) => `reports of ${(params as Key).mapId}`,
      }),
      reached: `This association has received ${counted(ofMap, 'report')} within an hour`,
    },
  ]
  return async (request: FastifyRequest, reply: FastifyReply, key: Key): Promise<void> => {
    if (await readReport(database.read, key)) return
    if (await mayRequest(request, 'staff', key.mapId)) return
    for (const { count, reached } of limits) {
      const limit = await count(request)
      if (limit.isAllowed || !limit.isExceeded) continue
      if (isMeasuredOnly) {
        request.log.warn({ mapId: key.mapId }, `${reached}, which is the limit. It is only measured.`)
        continue
      }
      reply.header('retry-after', limit.ttlInSeconds)
      throw new ProblemError(
        429,
        `${reached}, which is the limit. Try again in ${counted(Math.ceil(limit.ttlInSeconds / 60), 'minute')}.`,
      )
    }
  }
}
