import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mayRequest } from '../http/access.ts'
import { hourlyLimits } from '../http/hourly-limits.ts'
import { ProblemError } from '../http/problem.ts'
import type { Configuration } from '../settings/configuration.ts'

/** Returns a function that throws a 429 beyond the limits, which are those of reports, counted apart. Staff are not limited. */
export function limitSubscriptions(app: FastifyInstance, options: Configuration['reportProtection']) {
  const isBeyondLimit = hourlyLimits(app, 'subscription', options)
  const mode = options.modes.limits
  return async (request: FastifyRequest, reply: FastifyReply, mapId: string): Promise<void> => {
    if (mode === 'off' || (await mayRequest(request, 'staff', mapId))) return
    const refusal = await isBeyondLimit(request)
    if (!refusal) return
    if (mode === 'measure') {
      request.log.warn({ mapId }, `${refusal.reason} It is only measured.`)
      return
    }
    reply.header('retry-after', refusal.retryAfterSeconds)
    throw new ProblemError(refusal.status, refusal.reason)
  }
}
