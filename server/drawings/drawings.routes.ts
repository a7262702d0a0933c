import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { drawing, drawingChange, newDrawings } from '#domain/drawings/drawing.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { readCursor, wholeNumber, writeCursor } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { pageCursor, pageLimit } from '../http/page-parameters.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { addDrawings } from './add-drawings.commands.ts'
import { changeDrawing, clearDrawings, deleteDrawing } from './change-drawings.commands.ts'
import { type DrawingPosition, listDrawings } from './drawings.queries.ts'

const bodyLimit = 2 * 1024 * 1024

const path = '/api/maps/:mapId/drawings'
const config = { access: 'editor' } as const
const tags = ['drawings']
const mapParams = z.object({ mapId })
const drawingParams = z.object({ mapId, id: z.uuid() })

export const drawingRoutes: FastifyPluginCallbackZod<{ database: Database }> = (app, { database }, done) => {
  app.get(path, {
    config: { access: 'staff' },
    schema: {
      summary: 'List drawings on a map, oldest first',
      tags,
      params: mapParams,
      querystring: z.strictObject({ limit: pageLimit, after: pageCursor }),
      response: { 200: z.object({ items: z.array(drawing), next: z.string().nullable() }) },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { limit, after } = request.query
      const { person } = request
      const page = { limit, after: after === undefined ? undefined : readPosition(after) }
      const { items, last } = await listDrawings(database, { mapId, person }, page)
      forOnePerson(reply)
      return { items, next: last && writeCursor([String(last.createdAt), last.id]) }
    },
  })

  app.post(path, {
    config,
    bodyLimit,
    schema: {
      summary: 'Save drawings to a map in one transaction',
      description:
        'The client sets the ids, random UUIDs. Repeating the request does not change existing drawings, and ' +
        'returns their current state.',
      tags,
      params: mapParams,
      body: newDrawings,
      response: { 201: z.object({ items: z.array(drawing) }) },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      refuseSample(mapId, advice)
      const items = await addDrawings(database, { mapId, person }, request.body.items)
      return reply.status(201).send({ items })
    },
  })

  app.delete(path, {
    config,
    schema: {
      summary: 'Delete all of your own drawings on a map',
      tags,
      params: mapParams,
      response: { 200: z.object({ deleted: z.number().int() }) },
    },
    async handler(request) {
      const { mapId } = request.params
      const { person } = request
      refuseSample(mapId, advice)
      return { deleted: await clearDrawings(database, { mapId, person }) }
    },
  })

  app.put(`${path}/:id`, {
    config,
    bodyLimit,
    schema: {
      summary: 'Change a drawing of any user',
      description: 'Returns 412 with the current version as `current` if the drawing has changed.',
      tags,
      params: drawingParams,
      headers: ifMatchHeader,
      body: drawingChange,
      response: { 200: drawing },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { person } = request
      refuseSample(mapId, advice)
      const isExpected = readIfMatch(request.headers['if-match'])
      const changed = await changeDrawing(database, { mapId, id, person, isExpected }, request.body)
      reply.header('etag', etagOf(changed.version))
      return changed
    },
  })

  app.delete(`${path}/:id`, {
    config,
    schema: {
      summary: 'Delete a drawing of any user',
      description: 'Returns 412 with the current version as `current` if the drawing has changed.',
      tags,
      params: drawingParams,
      headers: ifMatchHeader,
      response: { 204: z.undefined().meta({ description: 'Deleted' }) },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { person } = request
      refuseSample(mapId, advice)
      const isExpected = readIfMatch(request.headers['if-match'])
      await deleteDrawing(database, { mapId, id, person, isExpected })
      return reply.status(204).send()
    },
  })
  done()
}

const advice = 'drawings on it are only saved in this tab.'

function readPosition(cursor: string): DrawingPosition {
  const [createdAt, id] = readCursor(cursor, 2)
  return { createdAt: wholeNumber(createdAt), id }
}
