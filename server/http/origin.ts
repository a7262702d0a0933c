import type { FastifyRequest } from 'fastify'
import type { Configuration } from '../settings/configuration.ts'

/** Where links in an answer begin: the address that the operator gave, or else the one that was asked. */
export const originOf = (
  request: FastifyRequest,
  { isPublicUrlSet, publicUrl }: Pick<Configuration, 'isPublicUrlSet' | 'publicUrl'>,
) => (isPublicUrlSet ? publicUrl : `${request.protocol}://${request.host}`)
