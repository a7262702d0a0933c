import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { readIfMatch } from '../http/if-match.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { pathOf } from './addresses.ts'
import { response } from './documentation.ts'
import { addItem, changeItem, type Edit, removeItem } from './edit-items.commands.ts'
import { sendItem } from './items.ts'
import { findContentSystem } from './items-query.ts'
import {
  type CollectionParams,
  collectionParams,
  type ItemParams,
  itemParams,
  itemPath,
  itemsPath,
  noQuery,
  type OgcContext,
  requireCollection,
  type ZodApp,
} from './map-context.ts'

export const editMethods: Readonly<Record<string, readonly string[]>> = {
  [itemsPath]: ['POST'],
  [itemPath]: ['PUT', 'PATCH', 'DELETE'],
}

/** As for the page's own routes of features. */
const bodyLimit = 2 * 1024 * 1024

export function addEditingRoutes(app: ZodApp, context: OgcContext) {
  const { database, addressOf, readSystems } = context
  const config = { access: 'editor' } as const

  app.post(itemsPath, {
    config,
    bodyLimit,
    schema: {
      hide: true,
      operationId: 'addFeature',
      summary: 'Add a feature',
      params: collectionParams,
      querystring: noQuery,
      response: { 201: response('The new feature', 'feature') },
    },
    async handler(request, reply) {
      const edit = await readEdit(request)
      const row = await addItem(database, edit, request.body)
      const url = addressOf(request, edit.mapId) + pathOf.item(edit.collection.id, row.id)
      reply.status(201).header('location', url)
      return sendItem(context, request, reply, row, { ...edit, url })
    },
  })

  for (const [method, mode, operationId, summary] of [
    ['PUT', 'replace', 'replaceFeature', 'Replace a feature. Omitted properties become null'],
    ['PATCH', 'patch', 'changeFeature', 'Change properties of a feature. Null removes a value'],
  ] as const)
    app.route({
      method,
      url: itemPath,
      config,
      bodyLimit,
      schema: {
        hide: true,
        operationId,
        summary,
        params: itemParams,
        querystring: noQuery,
        response: { 200: response('The changed feature', 'feature') },
      },
      handler: async (request, reply) => {
        const edit = await readEdit(request)
        const row = await changeItem(database, edit, readTarget(request), { mode, body: request.body })
        const url = addressOf(request, edit.mapId) + pathOf.item(edit.collection.id, row.id)
        return sendItem(context, request, reply, row, { ...edit, url })
      },
    })

  app.delete(itemPath, {
    config,
    schema: {
      hide: true,
      operationId: 'removeFeature',
      summary: 'Remove a feature. It can be restored for 30 days',
      params: itemParams,
      querystring: noQuery,
      response: { 204: z.undefined().meta({ description: 'Removed' }) },
    },
    async handler(request, reply) {
      await removeItem(database, await readEdit(request), readTarget(request))
      return reply.status(204).send()
    },
  })

  async function readEdit(request: FastifyRequest<{ Params: CollectionParams }>): Promise<Edit> {
    const { mapId } = request.params
    refuseSample(mapId)
    const collection = requireCollection(request.params)
    const system = findContentSystem(await readSystems(mapId), request.headers['content-crs'])
    return { mapId, person: request.person, collection, system }
  }
}

/** Many programs, QGIS among them, send no version. */
function readTarget({ params, headers }: FastifyRequest<{ Params: ItemParams }>) {
  const ifMatch = headers['if-match']
  return { id: params.featureId, isExpected: ifMatch === undefined ? () => true : readIfMatch(ifMatch) }
}
