import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  newSubscription,
  type OwnSubscriptions,
  ownSubscriptions,
  subscriptionAnswer,
  subscriptionChange,
  subscriptionKey,
} from '#domain/subscriptions/subscription.schema.ts'
import { changeId, mapId } from '#domain/values/common.schema.ts'
import { readClientOfMap } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import type { SubscriptionsTable } from '../database/tables.ts'
import { ConflictError, NotFoundError } from '../domain-error.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { isEqualText } from '../http/is-equal-text.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import type { Configuration } from '../settings/configuration.ts'
import { endTokenOf, keyOfSubscription } from './subscription-keys.ts'
import { limitSubscriptions } from './subscription-limits.ts'
import {
  addSubscription,
  changeSubscription,
  confirmSubscription,
  endSubscription,
  endSubscriptionsOf,
} from './subscriptions.commands.ts'
import { listSubscriptionsOf, readSubscription } from './subscriptions.queries.ts'

const tags = ['subscriptions']
/** Subscribers have no account. The key in their emails stands for them. */
const config = { access: 'public' } as const
const bodyLimit = 16 * 1024
const path = '/api/maps/:mapId/subscriptions'
const params = z.object({ mapId, id: changeId })
const itemParams = params.extend({ itemId: changeId })
const headers = z.looseObject({
  'subscription-key': subscriptionKey.meta({ description: 'The key of the link in emails' }),
})
const own = { tags, headers, response: { 200: ownSubscriptions } }
const unknownLink = 'There is no subscription at this link.'

type Dependencies = {
  database: Database
  configuration: Pick<Configuration, 'reportProtection' | 'mailServer'>
}

export const subscriptionRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, configuration: { reportProtection, mailServer } },
  done,
) => {
  // Mail programs send one of these forms to unsubscribe (RFC 8058). Its content is always the same.
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
    app.addContentTypeParser(type, { parseAs: 'string' }, (_request, _body, ready) => ready(null, {}))
  const limit = limitSubscriptions(app, reportProtection)

  async function requireKey(
    key: { mapId: string; id: string },
    { 'subscription-key': secret }: { 'subscription-key': string },
  ): Promise<SubscriptionsTable> {
    const row = await readSubscription(database.read, key)
    if (!row || !isEqualText(secret, keyOfSubscription(row))) throw new NotFoundError(unknownLink)
    return row
  }

  async function listOwn({ map_id: mapId, email }: SubscriptionsTable): Promise<OwnSubscriptions> {
    const rows = await listSubscriptionsOf(database.read, { mapId, email })
    const ids = rows.flatMap(({ feature_id }) => feature_id ?? [])
    const features = await readRowsOf(database.read, mapId, [...new Set(ids)])
    return {
      email,
      association: (await readClientOfMap(database.read, mapId))?.name ?? mapId,
      items: rows.map((row) => ({
        id: row.id,
        topic: row.topic,
        featureId: row.feature_id,
        name: (row.feature_id && features.get(row.feature_id)?.name) ?? null,
        radiusMeters: row.radius_meters,
        area: row.area === null ? null : JSON.parse(row.area),
        types: JSON.parse(row.types),
        news: row.news,
        frequency: row.frequency,
        notices: row.notices === 1,
        isConfirmed: row.confirmed_at !== null,
      })),
    }
  }

  app.post(path, {
    config,
    bodyLimit,
    schema: {
      summary: 'Get emails about incidents that visitors can see',
      description:
        'Sends an email with a link to confirm. The response is the same whether the address has this subscription or not.',
      tags,
      params: z.object({ mapId }),
      body: newSubscription,
      response: { 202: subscriptionAnswer },
    },
    async handler(request, reply) {
      const { params, body } = request
      refuseSample(params.mapId, 'choose the map of an association to get emails.')
      if (mailServer === null) throw new ConflictError('This server is not set up to send email.')
      await limit(request, reply, params.mapId)
      await addSubscription(database, params.mapId, body)
      forOnePerson(reply.status(202))
      return { sentTo: body.email }
    },
  })

  app.get(`${path}/:id`, {
    config,
    schema: { summary: 'List all subscriptions of your address on this map', ...own, params },
    async handler(request, reply) {
      forOnePerson(reply)
      return listOwn(await requireKey(request.params, request.headers))
    },
  })

  app.patch(`${path}/:id/own/:itemId`, {
    config,
    bodyLimit,
    schema: {
      summary: 'Change one of your subscriptions',
      description: '`id` is that of the link, `itemId` that of the list.',
      ...own,
      params: itemParams,
      body: subscriptionChange,
    },
    async handler(request, reply) {
      const row = await requireKey(request.params, request.headers)
      const { mapId, itemId } = request.params
      await changeSubscription(database, { mapId, id: itemId, email: row.email }, request.body)
      forOnePerson(reply)
      return listOwn(row)
    },
  })

  const actions: {
    rest: string
    summary: string
    act(row: SubscriptionsTable, itemId: string): Promise<void>
  }[] = [
    {
      rest: 'confirm',
      summary: 'Confirm a subscription',
      act: ({ map_id: mapId, id }) => confirmSubscription(database, { mapId, id }),
    },
    {
      rest: 'own/:itemId/end',
      summary: 'End one of your subscriptions',
      act: ({ map_id: mapId, email }, id) => endSubscription(database, { mapId, id, email }),
    },
    {
      rest: 'end-all',
      summary: 'End all subscriptions of your address on this map',
      act: ({ map_id: mapId, email }) => endSubscriptionsOf(database, { mapId, email }, 'all'),
    },
  ]
  for (const { rest, summary, act } of actions)
    app.post(`${path}/:id/${rest}`, {
      config,
      bodyLimit,
      schema: { summary, ...own, params: rest.includes(':itemId') ? itemParams : params },
      async handler(request, reply) {
        const row = await requireKey(request.params, request.headers)
        await act(row, (request.params as { itemId?: string }).itemId ?? row.id)
        forOnePerson(reply)
        return listOwn(row)
      },
    })

  app.post(`${path}/:id/unsubscribe`, {
    // Mail programs send it without a session and from anywhere (RFC 8058).
    config: { ...config, isFromAnywhere: true, isForArchived: true },
    bodyLimit,
    schema: {
      summary: 'End a subscription from a mail program',
      tags,
      params,
      querystring: z.strictObject({
        token: subscriptionKey,
        ends: z
          .enum(['one', 'digest'])
          .default('one')
          .meta({ description: 'digest: all that come in the same daily or weekly email' }),
      }),
      response: { 204: z.null() },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const row = await readSubscription(database.read, request.params)
      if (!row || !isEqualText(request.query.token, endTokenOf(row))) throw new NotFoundError(unknownLink)
      const { email, frequency } = row
      if (request.query.ends === 'digest' && frequency !== 'immediately')
        await endSubscriptionsOf(database, { mapId, email }, frequency)
      else await endSubscription(database, { mapId, id: row.id, email })
      reply.status(204)
      return null
    },
  })

  done()
}
