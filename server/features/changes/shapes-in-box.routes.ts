import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { maxShapes, shapesInBox } from '#domain/features/shapes.schema.ts'
import { partsOfBox } from '#domain/geometry/box.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { boxQuery } from '../../http/page-parameters.ts'
import { measureShapesIn, readShapesIn } from './parcel-at.queries.ts'

export const shapesInBoxRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get('/api/maps/:mapId/shapes', {
    config: { access: 'editor' },
    schema: {
      summary: 'List shapes for editing',
      description:
        'Returns all features of one kind whose extents meet the box, with all digits of their coordinates. Returns none if ' +
        `there are more than ${maxShapes.count} features, or 4 MB.`,
      tags: ['features'],
      params: z.object({ mapId }),
      querystring: z.strictObject({
        kind: z.enum(Object.keys(definitions) as DefinedKind[]),
        bbox: boxQuery,
      }),
      response: { 200: shapesInBox },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { kind, bbox } = request.query
      forOnePerson(reply)
      const caller = { mapId, signal: disconnectSignal(reply) }
      const rows = await database.readInWorker(caller, async (read) => {
        const parts = []
        for (const box of partsOfBox(bbox)) {
          const { count, characters } = await measureShapesIn(database, read, { mapId, kind, box })
          if (count > maxShapes.count || characters > maxShapes.characters) return null
          parts.push(...(await readShapesIn(database, read, { mapId, kind, box })))
        }
        return parts
      })
      const byId = new Map(rows?.map((row) => [row.id, row]))
      const items = [...byId.values()].map(({ id, name, version, geometry, area }) => ({
        id,
        name,
        version,
        geometry: JSON.parse(geometry),
        area: area === null ? null : Number(area),
      }))
      return { items, isComplete: rows !== null }
    },
  })
  done()
}
