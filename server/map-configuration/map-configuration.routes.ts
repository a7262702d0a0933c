import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  mapConfiguration,
  mapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { applyConfiguration, removeConfiguration } from './apply-configuration.commands.ts'
import { readConfigurationOfMap } from './map-configuration.queries.ts'

export const mapConfigurationRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get('/api/maps/:mapId/configuration', {
    config: { access: 'public' },
    schema: {
      summary: 'The configuration of a map: the applied one, or a proposal',
      description:
        'Without an applied configuration, this is a proposal that shows the whole land and changes with it. It takes ' +
        'effect when a manager applies it.',
      tags: ['maps'],
      params: z.object({ mapId }),
      response: { 200: mapConfigurationAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { isReadable, ...answer } = await readConfigurationOfMap(database, mapId)
      if (!isReadable)
        request.log.error({ mapId, version: answer.version }, 'the stored configuration cannot be read')
      reply.header('etag', etagOf(answer.version))
      return answer
    },
  })

  app.put('/api/maps/:mapId/configuration', {
    config: { access: 'manager' },
    bodyLimit: 128 * 1024,
    schema: {
      summary: 'Apply a configuration: from now on it is the map that everybody sees',
      description: 'What equals the applied configuration is answered with it, and makes no new version.',
      tags: ['maps'],
      params: z.object({ mapId }),
      headers: ifMatchHeader,
      body: mapConfiguration.strict(),
      response: { 200: mapConfigurationAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const answer = await applyConfiguration(database, { mapId, person, isExpected }, request.body)
      reply.header('etag', etagOf(answer.version))
      return answer
    },
  })

  app.delete('/api/maps/:mapId/configuration', {
    config: { access: 'manager' },
    schema: {
      summary: 'Remove the applied configuration',
      description:
        'Creates a new version without a configuration and returns the proposal. Earlier versions can be restored. ' +
        'Without an applied configuration it creates no version.',
      tags: ['maps'],
      params: z.object({ mapId }),
      headers: ifMatchHeader,
      response: { 200: mapConfigurationAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const answer = await removeConfiguration(database, { mapId, person, isExpected })
      reply.header('etag', etagOf(answer.version))
      return answer
    },
  })
  done()
}
