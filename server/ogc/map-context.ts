import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { mapId } from '#domain/values/common.schema.ts'
import { readClientOfMap } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import { readCustomFields } from '../features/custom-fields/custom-fields.queries.ts'
import { fieldSightOf, sightOf } from '../features/rows/sight.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { isKnown } from '../http/if-match.ts'
import { originOf } from '../http/origin.ts'
import { notFound } from '../http/problem.ts'
import type { Configuration } from '../settings/configuration.ts'
import { readIncidentDays, readLandExtent } from '../thinning/read-totals.queries.ts'
import { type Link, linkHeader, type MediaType, pathOf } from './addresses.ts'
import { type Collection, findCollection, type MapFacts } from './collections.ts'
import { type ItemView, propertiesOf } from './properties.ts'
import { referenceSystemsOf } from './reference-systems.ts'

export const root = '/ogc'
export const mapPath = `${root}/:mapId`
export const itemsPath = mapPath + pathOf.items(':collectionId')
export const itemPath = mapPath + pathOf.item(':collectionId', ':featureId')

export const mapParams = z.object({ mapId })
export const collectionParams = mapParams.extend({
  collectionId: z.string().meta({ description: 'Id of a collection, from /collections' }),
})
export const itemParams = collectionParams.extend({
  featureId: z.string().meta({ description: 'Id of the feature' }),
})
export type CollectionParams = z.output<typeof collectionParams>
export type ItemParams = z.output<typeof itemParams>

export const noQuery = z.strictObject({})

export type ZodApp = Parameters<FastifyPluginCallbackZod>[0]
export type Dependencies = { database: Database; configuration: Configuration }
export type OgcContext = ReturnType<typeof createContext>

export function createContext({ database, configuration }: Dependencies) {
  const addressOf = (request: FastifyRequest, mapId?: string) =>
    originOf(request, configuration) + root + (mapId === undefined ? '' : `/${mapId}`)
  return {
    database,
    addressOf,

    urlOf(request: FastifyRequest) {
      const origin = originOf(request, configuration)
      const { pathname, search } = new URL(request.url, origin)
      return origin + pathname + search
    },

    async readTitle(mapId: string): Promise<string> {
      return (await readClientOfMap(database.read, mapId))?.name ?? mapId
    },

    async readSystems(mapId: string) {
      return referenceSystemsOf(await readLandExtent(database, mapId))
    },

    async readFacts(request: FastifyRequest, mapId: string): Promise<MapFacts> {
      const extent = await readLandExtent(database, mapId)
      return {
        address: addressOf(request, mapId),
        extent,
        days: await readIncidentDays(database.read, mapId),
        systems: referenceSystemsOf(extent),
      }
    },

    async readView(
      request: FastifyRequest,
      mapId: string,
      { kind }: Collection,
    ): Promise<Omit<ItemView, 'system'>> {
      const sight = fieldSightOf(await sightOf(request, database, mapId))
      const customFields = await readCustomFields(database.read, mapId)
      return { sight, customFields, properties: propertiesOf(kind, customFields, sight) }
    },
  }
}

export function requireCollection({ mapId, collectionId }: CollectionParams): Collection {
  const collection = findCollection(collectionId)
  if (!collection) throw notFound(`Map ${mapId} has no collection ${collectionId}.`)
  return collection
}

export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    type,
    text,
    content = text,
    links = [],
  }: { type: MediaType; text: string; content?: string; links?: readonly Link[] },
) {
  const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  forOnePerson(reply)
  reply.header('etag', etag)
  if (links.length > 0) reply.header('link', linkHeader(links))
  if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send()
  return sendBytes(reply, type, text)
}

/** Bytes, because Fastify adds an encoding to the type of a text, which some programs reject. */
export const sendBytes = (reply: FastifyReply, type: MediaType, text: string) =>
  reply.header('content-type', type).send(Buffer.from(text))
