import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { listClients } from '../clients/clients.queries.ts'
import { countMatching } from '../features/lists/feature-matches.queries.ts'
import { mayWrite } from '../http/access.ts'
import { readNumberCursor, writeCursor } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { acceptJson } from '../http/json-bodies.ts'
import { pageCursor } from '../http/page-parameters.ts'
import { ProblemError } from '../http/problem.ts'
import { type Link, type MediaType, mediaTypes, pathOf } from './addresses.ts'
import { type Collection, describeCollection, filterOf, listedCollections } from './collections.ts'
import { documentOf, registerOgcDocumentation, response } from './documentation.ts'
import { addEditingRoutes, editMethods } from './editing.ts'
import { addItemRoutes } from './items.ts'
import {
  collectionParams,
  createContext,
  type Dependencies,
  mapParams,
  mapPath,
  noQuery,
  type OgcContext,
  requireCollection,
  root,
  sendJson,
  type ZodApp,
} from './map-context.ts'
import { featureSchema, queryablesOf, queryablesSchema } from './properties.ts'

const mapsPerPage = 100
const maxMaps = 1_000_000

/** Excludes the locking of part 4, a draft: it requires If-Match, which QGIS does not send. */
const conformanceClasses = [
  ...['core', 'oas30', 'geojson'].map((name) => `ogcapi-features-1/1.0/conf/${name}`),
  'ogcapi-features-2/1.0/conf/crs',
  ...['queryables', 'filter', 'features-filter'].map((name) => `ogcapi-features-3/1.0/conf/${name}`),
  ...['create-replace-delete', 'update', 'features'].map((name) => `ogcapi-features-4/1.0/conf/${name}`),
  'ogcapi-features-5/1.0/conf/schemas',
  ...['cql2-text', 'basic-cql2', 'advanced-comparison-operators', 'case-insensitive-comparison'].map(
    (name) => `cql2/1.0/conf/${name}`,
  ),
  'cql2/1.0/conf/basic-spatial-functions',
  'cql2/1.0/conf/basic-spatial-operators',
].map((path) => `http://www.opengis.net/spec/${path}`)

/** OGC API - Features for programs such as QGIS and GDAL: docs/connecting.md. */
export const ogcRoutes: FastifyPluginAsyncZod<Dependencies> = async (app, dependencies) => {
  acceptJson(app, [mediaTypes.geoJson])
  await registerOgcDocumentation(app, mapPath)
  const paths = new Set<string>()
  app.addHook('onRoute', ({ url }) => void paths.add(url))
  const context = createContext(dependencies)
  addMapRoutes(app, context)
  addCollectionRoutes(app, context)
  addItemRoutes(app, context)
  addEditingRoutes(app, context)
  for (const url of paths) addOtherMethods(app, url)
}

function addMapRoutes(app: ZodApp, { database, addressOf, urlOf, readTitle, readSystems }: OgcContext) {
  const config = { access: 'public' } as const

  app.get(root, {
    config,
    schema: { hide: true, querystring: z.strictObject({ after: pageCursor }) },
    async handler(request, reply) {
      const { after } = request.query
      const offset = after === undefined ? 0 : readNumberCursor(after, maxMaps)
      const filter = { text: undefined, state: 'open' as const, mapIds: undefined, signal: request.signal }
      const page = { sort: 'name' as const, limit: mapsPerPage, offset, hasTotals: false }
      const { items, isFollowed } = await listClients(database, filter, page)
      const address = addressOf(request)
      const links: Link[] = [{ rel: 'self', href: urlOf(request), type: mediaTypes.json }]
      if (isFollowed) {
        const next = writeCursor([String(offset + mapsPerPage)])
        links.push({ rel: 'next', href: `${address}?after=${next}`, type: mediaTypes.json })
      }
      const maps = items.map(({ id, name, location }) => ({
        id,
        title: name,
        description: location,
        links: [{ rel: 'child', href: `${address}/${id}`, type: mediaTypes.json, title: name }],
      }))
      const text = JSON.stringify({ title: 'Maps of property owners’ associations', links, maps })
      return sendJson(request, reply, { type: mediaTypes.json, text, links })
    },
  })

  for (const path of [mapPath, `${mapPath}/`])
    app.get(path, {
      config,
      schema: {
        hide: true,
        operationId: 'getLandingPage',
        summary: 'Landing page',
        params: mapParams,
        querystring: noQuery,
        response: { 200: response('The landing page', 'landingPage', mediaTypes.json) },
      },
      async handler(request, reply) {
        const { mapId } = request.params
        const address = addressOf(request, mapId)
        const link = (rel: string, path: string, type: MediaType, title: string): Link => ({
          rel,
          href: address + path,
          type,
          title,
        })
        const links = [
          link('self', '', mediaTypes.json, 'This page'),
          link('service-desc', pathOf.document, mediaTypes.openApi, 'The API'),
          link('conformance', pathOf.conformance, mediaTypes.json, 'Conformance classes'),
          link('data', pathOf.collections, mediaTypes.json, 'Collections'),
        ]
        const title = await readTitle(mapId)
        const text = JSON.stringify({
          title,
          description: `Parcels, assets, and incidents of ${title}.`,
          links,
        })
        return sendJson(request, reply, { type: mediaTypes.json, text, links })
      },
    })

  app.get(mapPath + pathOf.document, {
    config,
    schema: { hide: true, params: mapParams, querystring: noQuery },
    async handler(request, reply) {
      const { mapId } = request.params
      const systems = (await readSystems(mapId)).map(({ uri }) => uri)
      const address = addressOf(request, mapId)
      const document = documentOf(app, { title: await readTitle(mapId), address, systems })
      return sendJson(request, reply, { type: mediaTypes.openApi, text: JSON.stringify(document) })
    },
  })

  app.get(mapPath + pathOf.conformance, {
    config,
    schema: {
      hide: true,
      operationId: 'getConformance',
      summary: 'Conformance classes',
      params: mapParams,
      querystring: noQuery,
      response: { 200: response('The conformance classes', 'conformance', mediaTypes.json) },
    },
    async handler(request, reply) {
      const text = JSON.stringify({ conformsTo: conformanceClasses })
      return sendJson(request, reply, { type: mediaTypes.json, text })
    },
  })
}

function addCollectionRoutes(app: ZodApp, { database, addressOf, readFacts, readView }: OgcContext) {
  const config = { access: 'public' } as const

  app.get(mapPath + pathOf.collections, {
    config,
    schema: {
      hide: true,
      operationId: 'getCollections',
      summary: 'Collections, one for each kind and shape',
      params: mapParams,
      querystring: noQuery,
      response: { 200: response('The collections', 'collections', mediaTypes.json) },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const facts = await readFacts(request, mapId)
      const links: Link[] = [{ rel: 'self', href: facts.address + pathOf.collections, type: mediaTypes.json }]
      const collections = (await readListed(mapId)).map((one) => describeCollection(one, facts))
      const text = JSON.stringify({ links, crs: facts.systems.map(({ uri }) => uri), collections })
      return sendJson(request, reply, { type: mediaTypes.json, text, links })
    },
  })

  app.get(mapPath + pathOf.collection(':collectionId'), {
    config,
    schema: {
      hide: true,
      operationId: 'getCollection',
      summary: 'One collection',
      params: collectionParams,
      querystring: noQuery,
      response: { 200: response('The collection', 'collection', mediaTypes.json) },
    },
    async handler(request, reply) {
      const collection = requireCollection(request.params)
      const description = describeCollection(collection, await readFacts(request, request.params.mapId))
      const { links } = description
      return sendJson(request, reply, { type: mediaTypes.json, text: JSON.stringify(description), links })
    },
  })

  for (const name of ['queryables', 'schema'] as const)
    app.get(mapPath + pathOf[name](':collectionId'), {
      config,
      schema: {
        hide: true,
        operationId: name === 'schema' ? 'getSchema' : 'getQueryables',
        summary: name === 'schema' ? 'Properties of the features' : 'Properties for filters',
        params: collectionParams,
        querystring: noQuery,
        response: { 200: response('A JSON Schema', 'schema', mediaTypes.schema) },
      },
      async handler(request, reply) {
        const { mapId } = request.params
        const collection = requireCollection(request.params)
        const { properties } = await readView(request, mapId, collection)
        const address = addressOf(request, mapId) + pathOf[name](collection.id)
        const schema =
          name === 'schema'
            ? featureSchema(collection, properties, address)
            : queryablesSchema(collection, queryablesOf(properties), address)
        return sendJson(request, reply, { type: mediaTypes.schema, text: JSON.stringify(schema) })
      },
    })

  async function readListed(mapId: string): Promise<Collection[]> {
    const filled = new Set<string>()
    for (const collection of listedCollections(() => true)) {
      const count = await countMatching(database, database.read, mapId, filterOf(collection))
      if (count > 0) filled.add(collection.id)
    }
    return listedCollections(({ id }) => filled.has(id))
  }
}

const readMethods = ['GET', 'HEAD', 'OPTIONS']
const requestHeaders = 'Accept, Authorization, Content-Crs, Content-Type, If-Match, If-None-Match'

/** OPTIONS, which QGIS sends before it changes a feature, and a 405 for unsupported methods. */
function addOtherMethods(app: ZodApp, url: string) {
  const config = { access: 'public' } as const
  const edits = editMethods[url] ?? []
  const allMethods = [...readMethods, ...edits].join(', ')
  app.options(url, { config, schema: { hide: true } }, async (request, reply) => {
    const { mapId } = request.params as { mapId?: string }
    const isEditor = mapId !== undefined && mapId !== sampleMapId && (await mayWrite(request, mapId))
    forOnePerson(reply)
    return reply
      .header('allow', isEditor ? allMethods : readMethods.join(', '))
      .header('access-control-allow-methods', allMethods)
      .header('access-control-allow-headers', requestHeaders)
      .send()
  })
  app.route({
    url,
    method: ['POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !edits.includes(method)),
    config,
    schema: { hide: true },
    handler: (_request, reply) => {
      reply.header('allow', allMethods)
      throw new ProblemError(405, `Supported methods are ${allMethods}.`)
    },
  })
}
