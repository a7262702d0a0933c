import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { mapId } from '#domain/values/common.schema.ts'
import {
  delivery,
  deliveryPage,
  endpoint,
  endpointChange,
  endpoints,
  endpointWithSecret,
  newEndpoint,
  secretChange,
} from '#domain/webhooks/webhook.schema.ts'
import type { Database } from '../database/database.ts'
import { readTimePosition, writeTimePosition } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { pageCursor, pageLimit } from '../http/page-parameters.ts'
import { notFound } from '../http/problem.ts'
import { requireOpenMap } from '../maps/maps.queries.ts'
import type { Configuration } from '../settings/configuration.ts'
import {
  addWebhook,
  changeSecret,
  changeWebhook,
  removeWebhook,
  repeatDelivery,
  sendTest,
} from './change-webhooks.commands.ts'
import { toDelivery, toEndpoint } from './webhook-answers.ts'
import { listDeliveries, listEndpoints, readEndpoint, readLastTried } from './webhooks.queries.ts'

const tags = ['webhooks']
const config = { access: 'manager' } as const
const bodyLimit = 8 * 1024
const params = z.object({ mapId, id: z.string().max(80) })
const shownOnce = 'The signing secret is only in this response.'

type Dependencies = { database: Database; configuration: Configuration }

export const webhookRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, configuration },
  done,
) => {
  const guard = { inside: configuration.insideReceivers }

  app.get('/api/maps/:mapId/webhooks', {
    config,
    schema: {
      summary: 'List the webhooks of a map',
      tags,
      params: z.object({ mapId }),
      response: { 200: endpoints },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      forOnePerson(reply)
      await requireOpenMap(database, mapId)
      const rows = await listEndpoints(database.read, mapId)
      const items = rows.map(async (row) =>
        toEndpoint(row, await readLastTried(database.read, { mapId, id: row.id })),
      )
      return { items: await Promise.all(items) }
    },
  })

  app.post('/api/maps/:mapId/webhooks', {
    config,
    bodyLimit,
    schema: {
      summary: 'Add a webhook',
      description: `Messages follow Standard Webhooks. ${shownOnce}`,
      tags,
      params: z.object({ mapId }),
      body: newEndpoint,
      response: { 201: endpointWithSecret },
    },
    async handler(request, reply) {
      const { person } = request
      const row = await addWebhook(database, { ...request.params, person, guard }, request.body)
      reply.header('etag', etagOf(row.version)).header('cache-control', 'no-store')
      return reply.status(201).send({ ...toEndpoint(row), secret: row.secret })
    },
  })

  app.put('/api/maps/:mapId/webhooks/:id', {
    config,
    bodyLimit,
    schema: {
      summary: 'Change a webhook, or turn it on or off',
      description: 'Turning a webhook off discards its pending deliveries.',
      tags,
      params,
      headers: ifMatchHeader,
      body: endpointChange,
      response: { 200: endpoint },
    },
    async handler(request, reply) {
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const change = { ...request.params, person, isExpected, guard }
      const row = await changeWebhook(database, change, request.body)
      reply.header('etag', etagOf(row.version))
      return toEndpoint(row, await readLastTried(database.read, request.params))
    },
  })

  app.delete('/api/maps/:mapId/webhooks/:id', {
    config,
    schema: {
      summary: 'Remove a webhook and its deliveries',
      tags,
      params,
      headers: ifMatchHeader,
      response: { 204: z.undefined().meta({ description: 'Removed' }) },
    },
    async handler(request, reply) {
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      await removeWebhook(database, { ...request.params, person, isExpected })
      return reply.status(204).send()
    },
  })

  app.post('/api/maps/:mapId/webhooks/:id/secret', {
    config,
    bodyLimit,
    schema: {
      summary: 'Create a new signing secret',
      description: `The previous secret stays valid for a day, or ends immediately. ${shownOnce}`,
      tags,
      params,
      headers: ifMatchHeader,
      body: secretChange,
      response: { 200: endpointWithSecret },
    },
    async handler(request, reply) {
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const row = await changeSecret(database, { ...request.params, person, isExpected }, request.body)
      reply.header('etag', etagOf(row.version)).header('cache-control', 'no-store')
      const last = await readLastTried(database.read, request.params)
      return { ...toEndpoint(row, last), secret: row.secret }
    },
  })

  app.post('/api/maps/:mapId/webhooks/:id/test', {
    config,
    schema: {
      summary: 'Send a test event',
      description: 'Sent once, without retries. See the list of deliveries for the result.',
      tags,
      params,
      response: { 202: delivery },
    },
    handler: async (request, reply) =>
      reply.status(202).send(toDelivery(await sendTest(database, request.params))),
  })

  app.get('/api/maps/:mapId/webhooks/:id/deliveries', {
    config,
    schema: {
      summary: 'List deliveries of the last 30 days, newest first',
      tags,
      params,
      querystring: z.strictObject({ limit: pageLimit, after: pageCursor }),
      response: { 200: deliveryPage },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const { limit, after } = request.query
      forOnePerson(reply)
      await requireOpenMap(database, mapId)
      if (!(await readEndpoint(database.read, { mapId, id })))
        throw notFound(`Map ${mapId} has no webhook ${id}.`)
      const page = { limit: limit + 1, after: readTimePosition(after) }
      const rows = await listDeliveries(database.read, { mapId, id }, page)
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return {
        items: rows.slice(0, limit).map(toDelivery),
        next: last ? writeTimePosition(last) : null,
      }
    },
  })

  app.post('/api/maps/:mapId/webhooks/:id/deliveries/:deliveryId/repeat', {
    config,
    schema: {
      summary: 'Resend an event with the same id',
      tags,
      params: params.extend({ deliveryId: z.string().max(80) }),
      response: { 202: delivery },
    },
    async handler(request, reply) {
      const { deliveryId, ...key } = request.params
      return reply.status(202).send(toDelivery(await repeatDelivery(database, key, deliveryId)))
    },
  })
  done()
}
