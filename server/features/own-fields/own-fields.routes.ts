import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { ownFieldsAnswer, ownFieldsChange } from '#domain/features/own-fields.schema.ts'
import { noOwnFields } from '#domain/features/own-fields.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../../http/if-match.ts'
import { seenOwnFields, sightOf } from '../rows/sight.ts'
import { changeOwnFields } from './own-fields.commands.ts'
import { readOwnFieldsVersion } from './own-fields.queries.ts'

export const ownFieldsRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
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
      response: { 200: ownFieldsAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const sight = await sightOf(request, database, mapId)
      const { version, fields, removed } = await readOwnFieldsVersion(database.read, mapId)
      forOnePerson(reply)
      reply.header('etag', etagOf(version))
      return ownFieldsAnswer.parse({
        mapId,
        version,
        fields: seenOwnFields(fields, sight),
        removed: sight === 'everything' ? removed : noOwnFields,
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
      body: ownFieldsChange,
      response: { 200: ownFieldsAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const { fields } = request.body
      const changed = await changeOwnFields(database, { mapId, person, isExpected }, fields)
      reply.header('etag', etagOf(changed.version))
      return ownFieldsAnswer.parse({ mapId, ...changed })
    },
  })
  done()
}
