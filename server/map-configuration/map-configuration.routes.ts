import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  configurationVersion,
  mapConfiguration,
  mapConfigurationAnswer,
} from '#domain/map-configuration/map-configuration.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { readNumberCursor, writeCursor } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { pageCursor, pageLimit } from '../http/page-parameters.ts'
import {
  applyConfiguration,
  removeConfiguration,
  restoreConfiguration,
} from './apply-configuration.commands.ts'
import { listConfigurationVersions, readConfigurationOfMap } from './map-configuration.queries.ts'

const greatestVersion = 2_147_483_647

const restoration = z.strictObject({ version: z.number().int().min(1).max(greatestVersion) })

export const mapConfigurationRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get('/api/maps/:mapId/configuration', {
    config: { access: 'public' },
    schema: {
      summary: 'Get the configuration of a map',
      description:
        'If no configuration has been applied, returns a proposal that fits the features on the map. The proposal takes ' +
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
      summary: 'Apply a configuration for all users',
      description: 'Applying the current configuration again creates no new version.',
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
        'If no configuration is applied, nothing changes.',
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

  app.get('/api/maps/:mapId/configuration/versions', {
    config: { access: 'staff', tokenScope: null },
    schema: {
      summary: 'List all applied configurations, newest first',
      tags: ['maps'],
      params: z.object({ mapId }),
      querystring: z.strictObject({ limit: pageLimit, after: pageCursor }),
      response: {
        200: z.object({ items: z.array(configurationVersion), next: z.string().nullable() }),
      },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { limit, after } = request.query
      const before = after === undefined ? undefined : readNumberCursor(after, greatestVersion)
      const { items, last } = await listConfigurationVersions(database, mapId, { limit, before })
      forOnePerson(reply)
      return { items, next: last === null ? null : writeCursor([String(last)]) }
    },
  })

  app.post('/api/maps/:mapId/configuration/restore', {
    config: { access: 'manager' },
    bodyLimit: 1024,
    schema: {
      summary: 'Restore an earlier version of the configuration',
      tags: ['maps'],
      params: z.object({ mapId }),
      headers: ifMatchHeader,
      body: restoration,
      response: { 200: mapConfigurationAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const change = { mapId, person, isExpected }
      const answer = await restoreConfiguration(database, change, request.body.version)
      reply.header('etag', etagOf(answer.version))
      return answer
    },
  })
  done()
}
