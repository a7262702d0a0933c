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

  app.get(
    '/api/maps/:mapId/metadata-names',
    {
      config: { access: 'staff' },
      schema: {
        summary: 'What the metadata of a map is called, and how many features have it',
        description:
          'The 500 most frequent names. Counting a large map takes a while after each import: until then ' +
          '`isComplete` is false, and the answer holds what was found so far. Ask again.',
        tags: ['maps'],
        params: z.object({ mapId }),
        response: { 200: metadataNames },
      },
    },
    async (request, reply) => {
      const { mapId } = request.params
      forOnePerson(reply)
      return counter.namesOf(mapId)
    },
  )
  done()
}
