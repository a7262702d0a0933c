import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../settings/configuration.ts'

/** The origin of links in answers: the operator's, or that of the request. */
export const originOf = (
  request: FastifyRequest,
  { isPublicUrlSet, publicUrl }: Pick<Configuration, 'isPublicUrlSet' | 'publicUrl'>,
) => (isPublicUrlSet ? publicUrl : `${request.protocol}://${request.host}`)
