import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { metadataNames } from '#domain/features/metadata-names.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { startNameCounter } from './count-metadata-names.ts'

export const metadataNameRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  const counter = startNameCounter(database)
  app.addHook('onClose', () => counter.close())

  app.get('/api/maps/:mapId/metadata-names', {
    config: { access: 'staff' },
    schema: {
      summary: 'Names of the metadata of a map, with numbers of features',
      description:
        'The 500 most frequent names. After an import of a large map they are counted in the background: until then ' +
        '`isComplete` is false and the response has the names found so far. Repeat the request.',
      tags: ['maps'],
      params: z.object({ mapId }),
      response: { 200: metadataNames },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      forOnePerson(reply)
      return counter.namesOf(mapId)
    },
  })
  done()
}
