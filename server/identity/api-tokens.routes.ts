import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { apiTokens, madeApiToken, newApiToken } from '#domain/access/api-token.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { type AuditLog, digestOf } from '../http/audit.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import {
  createApiToken,
  listTokensOfMap,
  listTokensOfPerson,
  revokeApiToken,
  revokeOnMap,
} from './api-tokens.queries.ts'

type Dependencies = { database: Database; audit: AuditLog; issuer: string }

const tags = ['identity']
const id = z.string().max(100)
const revoked = z.undefined().meta({ description: 'Revoked on all of its maps' })
const revokedOnMap = z.undefined().meta({ description: 'Revoked on this map' })

/** The creator and the managers of its maps see a token and can revoke it. */
export const apiTokenRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, audit, issuer },
  done,
) => {
  app.get('/api/tokens', {
    config: { access: 'signed-in' },
    schema: {
      summary: 'List your access tokens, newest first',
      description: 'Expired tokens stay listed for at least 30 days.',
      tags,
      response: { 200: apiTokens },
    },
    async handler(request, reply) {
      forOnePerson(reply)
      return { items: await listTokensOfPerson(database, request.person.id) }
    },
  })

  app.post('/api/tokens', {
    config: { access: 'signed-in' },
    bodyLimit: 16 * 1024,
    schema: {
      summary: 'Create an access token',
      description:
        'The response has the `secret`, which is shown only once. A token never exceeds its scopes, its maps, the role of an ' +
        'editor, and the current access of the user who created it. Send it as `Authorization: Bearer`, or as the ' +
        'password of `Basic` with any user name.',
      tags,
      body: newApiToken,
      response: { 201: madeApiToken },
    },
    async handler(request, reply) {
      const { person } = request
      const made = await createApiToken(database, { person, issuer }, request.body)
      const { id: token, scopes, expiresAt } = made
      const maps = made.maps.map(({ id: mapId }) => mapId)
      audit.info({ person: digestOf(person.id), token, scopes, maps, expiresAt }, 'made a token')
      return reply.status(201).header('cache-control', 'no-store').send(made)
    },
  })

  app.delete('/api/tokens/:id', {
    config: { access: 'signed-in' },
    schema: {
      summary: 'Revoke one of your access tokens',
      tags,
      params: z.object({ id }),
      response: { 204: revoked },
    },
    async handler(request, reply) {
      const { person, params } = request
      await revokeApiToken(database, params.id, person.id)
      audit.info({ person: digestOf(person.id), token: params.id }, 'revoked a token')
      return reply.status(204).send()
    },
  })

  app.get('/api/maps/:mapId/tokens', {
    config: { access: 'manager' },
    schema: {
      summary: 'List the access tokens for a map, newest first',
      description: 'Other maps of a token are not listed.',
      tags,
      params: z.object({ mapId }),
      response: { 200: apiTokens },
    },
    async handler(request, reply) {
      forOnePerson(reply)
      return { items: await listTokensOfMap(database, request.params.mapId) }
    },
  })

  app.delete('/api/maps/:mapId/tokens/:id', {
    config: { access: 'manager' },
    schema: {
      summary: 'Revoke an access token on a map',
      description: 'The token remains valid on its other maps.',
      tags,
      params: z.object({ mapId, id }),
      response: { 204: revokedOnMap },
    },
    async handler(request, reply) {
      const { person, params } = request
      await revokeOnMap(database, params.id, params.mapId)
      audit.info(
        { person: digestOf(person.id), token: params.id, map: params.mapId },
        'revoked a token on a map',
      )
      return reply.status(204).send()
    },
  })
  done()
}
