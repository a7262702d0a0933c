import type { FastifyInstance, FastifyRequest } from 'fastify'
import { counted } from '#domain/values/wording.ts'
import type { Configuration } from '../settings/configuration.ts'
import { addressGroup } from './address-group.ts'

export type Refusal = { status: 403 | 429; reason: string; retryAfterSeconds?: number }

/** Returns a function that counts a request, and returns why it is beyond a limit, if it is. `noun` is one of them. */
export function hourlyLimits(
  app: FastifyInstance,
  noun: string,
  { ofAddress, ofMap }: Pick<Configuration['reportProtection'], 'ofAddress' | 'ofMap'>,
) {
  const timeWindow = '1 hour'
  // One address alone cannot use up the limit of the map: its own comes first.
  const limits = [
    {
      count: app.createRateLimit({
        max: ofAddress,
        timeWindow,
        keyGenerator: ({ ip }: FastifyRequest) => `${noun} ${addressGroup(ip)}`,
      }),
      reached: `Your network has sent ${counted(ofAddress, noun)} within an hour`,
    },
    {
      count: app.createRateLimit({
        max: ofMap,
        timeWindow,
        keyGenerator: ({ params }: FastifyRequest) => `${noun} of map ${(params as { mapId: string }).mapId}`,
      }),
      reached: `This association has received ${counted(ofMap, noun)} within an hour`,
    },
  ]
  return async (request: FastifyRequest): Promise<Refusal | null> => {
    for (const { count, reached } of limits) {
      const limit = await count(request)
      if (limit.isAllowed || !limit.isExceeded) continue
      const again = counted(Math.ceil(limit.ttlInSeconds / 60), 'minute')
      return {
        status: 429,
        reason: `${reached}, which is the limit. You can send more in ${again}.`,
        retryAfterSeconds: limit.ttlInSeconds,
      }
    }
    return null
  }
}
