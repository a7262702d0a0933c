import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { counted } from '#domain/values/wording.ts'
import { mayRequest } from '../http/access.ts'
import { addressGroup } from '../http/address-group.ts'
import { ProblemError } from '../http/problem.ts'
import type { Configuration } from '../settings/configuration.ts'

/** Returns a function that throws a 429 beyond the limits, which are those of reports, counted apart. Staff are not limited. */
export function limitSubscriptions(
  app: FastifyInstance,
  { ofAddress, ofMap }: Configuration['reportLimits'],
) {
  const timeWindow = '1 hour'
  const limits = [
    app.createRateLimit({
      max: ofAddress,
      timeWindow,
      keyGenerator: ({ ip }: FastifyRequest) => `subscriptions ${addressGroup(ip)}`,
    }),
    app.createRateLimit({
      max: ofMap,
      timeWindow,
      keyGenerator: ({ params }: FastifyRequest) => `subscriptions of ${(params as { mapId: string }).mapId}`,
    }),
  ]
  return async (request: FastifyRequest, reply: FastifyReply, mapId: string): Promise<void> => {
    if (await mayRequest(request, 'staff', mapId)) return
    for (const count of limits) {
      const limit = await count(request)
      if (limit.isAllowed || !limit.isExceeded) continue
      reply.header('retry-after', limit.ttlInSeconds)
      const minutes = counted(Math.ceil(limit.ttlInSeconds / 60), 'minute')
      throw new ProblemError(429, `Too many people asked for updates from here. Try again in ${minutes}.`)
    }
  }
}
