import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../settings/configuration.ts'

export const originOf = (
  request: FastifyRequest,
  { isPublicUrlSet, publicUrl }: Pick<Configuration, 'isPublicUrlSet' | 'publicUrl'>,
) => (isPublicUrlSet ? publicUrl : `${request.protocol}://${request.host}`)
