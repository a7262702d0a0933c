import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { customFieldsAnswer, customFieldsChange } from '#domain/features/custom-fields.schema.ts'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../../http/if-match.ts'
import { seenCustomFields, sightOf } from '../rows/sight.ts'
import { changeCustomFields } from './custom-fields.commands.ts'
import { readCustomFieldsVersion } from './custom-fields.queries.ts'

export const customFieldsRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get('/api/maps/:mapId/fields', {
    config: { access: 'public' },
    schema: {
      summary: 'Get the custom fields of a client',
      description:
        'Features have the values in `own`, by key. Visitors only get fields with `visibleTo` everyone.',
      tags: ['maps'],
      params: z.object({ mapId }),
      response: { 200: customFieldsAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const sight = await sightOf(request, database, mapId)
      const { version, fields, removed } = await readCustomFieldsVersion(database.read, mapId)
      forOnePerson(reply)
      reply.header('etag', etagOf(version))
      return customFieldsAnswer.parse({
        mapId,
        version,
        fields: seenCustomFields(fields, sight),
        removed: sight === 'everything' ? removed : noCustomFields,
      })
    },
  })

  app.put('/api/maps/:mapId/fields', {
    config: { access: 'manager' },
    bodyLimit: 256 * 1024,
    schema: {
      summary: 'Change the custom fields of a client',
      description:
        'Send all fields, in order. Features keep the values of a removed field, which reappear when you add it again. ' +
        'An unchanged list creates no new version.',
      tags: ['maps'],
      params: z.object({ mapId }),
      headers: ifMatchHeader,
      body: customFieldsChange,
      response: { 200: customFieldsAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const { fields } = request.body
      const changed = await changeCustomFields(database, { mapId, person, isExpected }, fields)
      reply.header('etag', etagOf(changed.version))
      return customFieldsAnswer.parse({ mapId, ...changed })
    },
  })
  done()
}
