import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { openOwnFields } from '#domain/features/own-fields.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { featureId, mapId } from '#domain/values/common.schema.ts'
import { readClientOfMap } from '../clients/client-rows.queries.ts'
import { listClients } from '../clients/clients.queries.ts'
import type { Database } from '../database/database.ts'
import { Pauses } from '../database/pauses.ts'
import type { FeatureColumns } from '../database/tables.ts'
import type { FeatureFilter } from '../features/feature-filter.ts'
import { countMatching, withoutIdleBox } from '../features/feature-matches.queries.ts'
import { readFeature } from '../features/features.queries.ts'
import { readOwnFields } from '../features/own-fields.queries.ts'
import { fieldSightOf, sightOf } from '../features/sight.ts'
import { fillsItsExtent } from '../geometry/extents.ts'
import { mayWrite, requireAccess } from '../http/access.ts'
import { readNumberCursor, writeCursor } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, isKnown, readIfMatch } from '../http/if-match.ts'
import { acceptJson } from '../http/json-bodies.ts'
import { originOf } from '../http/origin.ts'
import { pageCursor } from '../http/page-parameters.ts'
import { notFound, ProblemError } from '../http/problem.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import type { Configuration } from '../settings/configuration.ts'
import { readIncidentDays, readLandExtent } from '../thinning/read-totals.queries.ts'
import { type Link, linkHeader, type MediaType, mediaTypes, pathOf, relations } from './addresses.ts'
import {
  type Collection,
  filterOf,
  findCollection,
  instantOf,
  isIn,
  listedCollections,
} from './collections.ts'
import { conformanceClasses } from './conformance.ts'
import type { Cql2 } from './cql2.ts'
import { conditionOf, isLedByIndex } from './cql2-condition.queries.ts'
import { describeCollection, type Land } from './describe-collection.ts'
import { addItem, changeItem, type Edit, removeItem } from './edit-items.commands.ts'
import { findContentSystem, findSystem, itemQuery, itemsQuery, readItemsQuestion } from './items-question.ts'
import { openApiDocument } from './open-api-document.ts'
import { propertiesOf, queryablesOf } from './properties.ts'
import { featureSchema, queryablesSchema } from './property-schemas.ts'
import { readItems, readItemsPosition, writeItemsPosition } from './read-items.ts'
import { type ReferenceSystem, referenceSystemsOf } from './reference-systems.ts'
import { type Telling, toItem } from './write-item.ts'

const root = '/ogc'
const mapPath = `${root}/:mapId`
const mapsOnPage = 100
const mostMaps = 1_000_000

const ofMap = z.object({ mapId })
const ofCollection = ofMap.extend({ collectionId: z.string() })
const nothing = z.strictObject({})
const ofItem = ofCollection.extend({ featureId: z.string() })
const readingMethods = ['GET', 'HEAD', 'OPTIONS']
/** What some addresses take besides, of whoever may edit. */
const edits: Readonly<Record<string, readonly string[]>> = {
  [mapPath + pathOf.items(':collectionId')]: ['POST'],
  [mapPath + pathOf.item(':collectionId', ':featureId')]: ['PUT', 'PATCH', 'DELETE'],
}
/** As of a feature by the interface of the page. */
const bodyLimit = 2 * 1024 * 1024

const askedHeaders = 'Accept, Authorization, Content-Crs, Content-Type, If-Match, If-None-Match'

type Dependencies = { database: Database; configuration: Configuration }

/** OGC API - Features for programs such as QGIS and GDAL: docs/connecting.md. */
export const ogcRoutes: FastifyPluginCallbackZod<Dependencies> = (app, { database, configuration }, done) => {
  acceptJson(app, [mediaTypes.geoJson])
  // Whoever asks what a path takes is told, as QGIS does before it changes something.
  const paths = new Set<string>()
  app.addHook('onRoute', ({ url }) => void paths.add(url))

  const config = { access: 'public' } as const
  const addressOf = (request: FastifyRequest, mapId?: string) =>
    originOf(request, configuration) + root + (mapId === undefined ? '' : `/${mapId}`)
  /** The address that was asked, with all encoded that a link must not hold. */
  const hereOf = (request: FastifyRequest) => {
    const origin = originOf(request, configuration)
    const { pathname, search } = new URL(request.url, origin)
    return origin + pathname + search
  }

  app.get(
    root,
    {
      config,
      schema: { hide: true, querystring: z.strictObject({ after: pageCursor }) },
    },
    async (request, reply) => {
      const { after } = request.query
      const offset = after === undefined ? 0 : readNumberCursor(after, mostMaps)
      const filter = { text: undefined, state: 'open' as const, mapIds: undefined, asker: request.signal }
      const page = { sort: 'name' as const, limit: mapsOnPage, offset, hasTotals: false }
      const { items, isFollowed } = await listClients(database, filter, page)
      const address = addressOf(request)
      const links: Link[] = [{ rel: 'self', href: hereOf(request), type: mediaTypes.json }]
      if (isFollowed) {
        const next = writeCursor([String(offset + mapsOnPage)])
        links.push({ rel: 'next', href: `${address}?after=${next}`, type: mediaTypes.json })
      }
      const maps = items.map(({ id, name, location }) => ({
        id,
        title: name,
        description: location,
        links: [{ rel: 'child', href: `${address}/${id}`, type: mediaTypes.json, title: name }],
      }))
      const title = 'Maps of property owners’ associations'
      return answer(request, reply, mediaTypes.json, { title, links, maps }, links)
    },
  )

  for (const path of [mapPath, `${mapPath}/`])
    app.get(
      path,
      { config, schema: { hide: true, params: ofMap, querystring: nothing } },
      async (request, reply) => {
        const { mapId } = request.params
        const address = addressOf(request, mapId)
        const link = (rel: string, href: string, type: MediaType, title: string): Link => ({
          rel,
          href: address + href,
          type,
          title,
        })
        const links = [
          link('self', '', mediaTypes.json, 'This page'),
          link('service-desc', pathOf.document, mediaTypes.openApi, 'What can be asked'),
          link('conformance', pathOf.conformance, mediaTypes.json, 'Standards that it keeps to'),
          link('data', pathOf.collections, mediaTypes.json, 'What there is'),
        ]
        const title = await titleOf(mapId)
        const description = `Parcels, assets and incidents of ${title}.`
        return answer(request, reply, mediaTypes.json, { title, description, links }, links)
      },
    )

  app.get(
    mapPath + pathOf.document,
    { config, schema: { hide: true, params: ofMap, querystring: nothing } },
    async (request, reply) => {
      const { mapId } = request.params
      const systems = await readSystems(mapId)
      const document = openApiDocument({
        title: await titleOf(mapId),
        address: addressOf(request, mapId),
        systems: systems.map(({ uri }) => uri),
      })
      return answer(request, reply, mediaTypes.openApi, document)
    },
  )

  app.get(
    mapPath + pathOf.conformance,
    { config, schema: { hide: true, params: ofMap, querystring: nothing } },
    async (request, reply) => answer(request, reply, mediaTypes.json, { conformsTo: conformanceClasses }),
  )

  app.get(
    mapPath + pathOf.collections,
    { config, schema: { hide: true, params: ofMap, querystring: nothing } },
    async (request, reply) => {
      const { mapId } = request.params
      const land = await readLand(request, mapId)
      const links: Link[] = [{ rel: 'self', href: land.address + pathOf.collections, type: mediaTypes.json }]
      const listed = await readListed(mapId)
      const collections = listed.map((collection) => describeCollection(collection, land))
      const crs = land.systems.map(({ uri }) => uri)
      return answer(request, reply, mediaTypes.json, { links, crs, collections }, links)
    },
  )

  app.get(
    mapPath + pathOf.collection(':collectionId'),
    { config, schema: { hide: true, params: ofCollection, querystring: nothing } },
    async (request, reply) => {
      const collection = requireCollection(request.params)
      const described = describeCollection(collection, await readLand(request, request.params.mapId))
      return answer(request, reply, mediaTypes.json, described, described.links)
    },
  )

  app.get(
    mapPath + pathOf.queryables(':collectionId'),
    { config, schema: { hide: true, params: ofCollection, querystring: nothing } },
    async (request, reply) => {
      const collection = requireCollection(request.params)
      const { properties } = await readTelling(request, request.params.mapId, collection)
      const address = addressOf(request, request.params.mapId) + pathOf.queryables(collection.id)
      const schema = queryablesSchema(collection, queryablesOf(properties), address)
      return answer(request, reply, mediaTypes.schema, schema)
    },
  )

  app.get(
    mapPath + pathOf.schema(':collectionId'),
    { config, schema: { hide: true, params: ofCollection, querystring: nothing } },
    async (request, reply) => {
      const collection = requireCollection(request.params)
      const { properties } = await readTelling(request, request.params.mapId, collection)
      const address = addressOf(request, request.params.mapId) + pathOf.schema(collection.id)
      return answer(request, reply, mediaTypes.schema, featureSchema(collection, properties, address))
    },
  )

  app.get(
    mapPath + pathOf.items(':collectionId'),
    { config, schema: { hide: true, params: ofCollection, querystring: itemsQuery } },
    async (request, reply) => {
      const { mapId } = request.params
      const { query } = request
      const collection = requireCollection(request.params)
      const address = addressOf(request, mapId)
      const systems = await readSystems(mapId)
      const told = await readTelling(request, mapId, collection)
      const queryables = queryablesOf(told.properties)
      const system = findSystem(systems, 'crs', query.crs)
      const instant = instantOf(collection)
      const readWith = (known: typeof queryables) =>
        readItemsQuestion(query, { systems, queryables: known, instant })
      const hidden = hiddenProperty(query.filter, collection, told, readWith)
      if (hidden !== undefined)
        await requireAccess(request, 'staff', mapId, `The property ‘${hidden}’ is for staff of the map.`)
      const { areas, filters } = readWith(queryables)
      const boxed = await readBoxed(mapId, filterOf(collection), areas)
      const asked = [...boxed.filters, ...filters]
      const filter: FeatureFilter = { ...boxed.filter }
      if (asked.length > 0) {
        const whole: Cql2 = { is: 'and', of: asked }
        filter.condition = conditionOf(database, mapId, whole, queryables)
        filter.isLedByIndex = isLedByIndex(whole, queryables)
      }
      const from = query.after === undefined ? undefined : readItemsPosition(query.after)
      const asker = { mapId, signal: request.signal }
      const { rows, total, next } = await readItems(database, asker, filter, { limit: query.limit, from })

      const links: Link[] = [
        { rel: 'self', href: hereOf(request), type: mediaTypes.geoJson },
        { rel: 'collection', href: address + pathOf.collection(collection.id), type: mediaTypes.json },
        { rel: 'describedby', href: address + pathOf.schema(collection.id), type: mediaTypes.schema },
      ]
      if (next) {
        const following = new URL(hereOf(request))
        following.searchParams.set('after', writeItemsPosition(next))
        links.push({ rel: 'next', href: following.href, type: mediaTypes.geoJson })
      }
      const telling = { ...told, system }
      const features: string[] = []
      const pauses = new Pauses()
      for (const row of rows) {
        features.push(JSON.stringify(toItem(row, telling)))
        await pauses.pause()
      }
      const counts = `"numberMatched":${total},"numberReturned":${rows.length}`
      const content = `"links":${JSON.stringify(links)},${counts},"features":[${features.join(',')}]}`
      reply.header('content-crs', `<${system.uri}>`)
      return answerText(request, reply, {
        type: mediaTypes.geoJson,
        content,
        text: `{"type":"FeatureCollection","timeStamp":"${new Date().toISOString()}",${content}`,
        links,
      })
    },
  )

  app.get(
    mapPath + pathOf.item(':collectionId', ':featureId'),
    {
      config,
      schema: { hide: true, params: ofItem, querystring: itemQuery },
    },
    async (request, reply) => {
      const { mapId, featureId: id } = request.params
      const collection = requireCollection(request.params)
      const system = findSystem(await readSystems(mapId), 'crs', request.query.crs)
      const row = featureId.safeParse(id).success ? await readFeature(database, mapId, id) : undefined
      if (!row || !isIn(collection, row))
        throw notFound(`The collection ${collection.id} of map ${mapId} has no feature ${id}.`)
      return answerItem(request, reply, row, { collection, system })
    },
  )

  const editing = { access: 'editor' } as const

  app.post(
    mapPath + pathOf.items(':collectionId'),
    { config: editing, bodyLimit, schema: { hide: true, params: ofCollection, querystring: nothing } },
    async (request, reply) => {
      const edit = await readEdit(request)
      const row = await addItem(database, edit, request.body)
      const address = addressOf(request, edit.mapId) + pathOf.item(edit.collection.id, row.id)
      reply.status(201).header('location', address)
      return answerItem(request, reply, row, edit)
    },
  )

  for (const [method, how] of [
    ['PUT', 'replace'],
    ['PATCH', 'patch'],
  ] as const)
    app.route({
      method,
      url: mapPath + pathOf.item(':collectionId', ':featureId'),
      config: editing,
      bodyLimit,
      schema: { hide: true, params: ofItem, querystring: nothing },
      handler: async (request, reply) => {
        const edit = await readEdit(request)
        const row = await changeItem(database, edit, readNamed(request), { how, body: request.body })
        return answerItem(request, reply, row, edit)
      },
    })

  app.delete(
    mapPath + pathOf.item(':collectionId', ':featureId'),
    { config: editing, schema: { hide: true, params: ofItem, querystring: nothing } },
    async (request, reply) => {
      await removeItem(database, await readEdit(request), readNamed(request))
      return reply.status(204).send()
    },
  )

  for (const url of paths) {
    const edited = edits[url] ?? []
    const everything = [...readingMethods, ...edited].join(', ')
    app.options(url, { config, schema: { hide: true } }, async (request, reply) => {
      const { mapId } = request.params as { mapId?: string }
      const isEditor = mapId !== undefined && mapId !== sampleMapId && (await mayWrite(request, mapId))
      forOnePerson(reply)
      return reply
        .header('allow', isEditor ? everything : readingMethods.join(', '))
        .header('access-control-allow-methods', everything)
        .header('access-control-allow-headers', askedHeaders)
        .send()
    })
    app.route({
      url,
      method: ['POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !edited.includes(method)),
      config,
      schema: { hide: true },
      handler: (_request, reply) => {
        reply.header('allow', everything)
        throw new ProblemError(405, `This address takes ${everything}.`)
      },
    })
  }
  done()

  /** What every change needs to know; the map's own systems are those that `Content-Crs` may name. */
  async function readEdit(request: FastifyRequest<{ Params: z.output<typeof ofCollection> }>): Promise<Edit> {
    const { mapId } = request.params
    refuseSample(mapId)
    const collection = requireCollection(request.params)
    const system = findContentSystem(await readSystems(mapId), request.headers['content-crs'])
    return { mapId, person: request.person, collection, system }
  }

  async function answerItem(
    request: FastifyRequest,
    reply: FastifyReply,
    row: FeatureColumns,
    { collection, system }: { collection: Collection; system: ReferenceSystem },
  ) {
    const { map_id: mapId } = row
    const address = addressOf(request, mapId)
    const told = await readTelling(request, mapId, collection)
    const isAsked = readingMethods.includes(request.method)
    const self = isAsked ? hereOf(request) : address + pathOf.item(collection.id, row.id)
    const links: Link[] = [
      { rel: 'self', href: self, type: mediaTypes.geoJson },
      { rel: 'collection', href: address + pathOf.collection(collection.id), type: mediaTypes.json },
      { rel: relations.schema, href: address + pathOf.schema(collection.id), type: mediaTypes.schema },
    ]
    forOnePerson(reply)
    reply
      .header('content-crs', `<${system.uri}>`)
      .header('etag', etagOf(row.version))
      .header('link', linkHeader(links))
    return send(reply, mediaTypes.geoJson, JSON.stringify({ ...toItem(row, { ...told, system }), links }))
  }

  async function titleOf(mapId: string): Promise<string> {
    return (await readClientOfMap(database.read, mapId))?.name ?? mapId
  }

  async function readSystems(mapId: string) {
    return referenceSystemsOf(await readLandExtent(database, mapId))
  }

  async function readLand(request: FastifyRequest, mapId: string): Promise<Land> {
    const extent = await readLandExtent(database, mapId)
    return {
      address: addressOf(request, mapId),
      extent,
      days: await readIncidentDays(database.read, mapId),
      systems: referenceSystemsOf(extent),
    }
  }

  /** One box alone leads the database to what lies in it; where all that there is lies in it, nothing is asked. */
  async function readBoxed(
    mapId: string,
    ofCollection: FeatureFilter,
    areas: readonly Geometry[] | undefined,
  ): Promise<{ filter: FeatureFilter; filters: readonly Cql2[] }> {
    if (!areas) return { filter: ofCollection, filters: [] }
    const filters: Cql2[] = [{ is: 'meets', geometries: areas }]
    const [area, another] = areas
    if (!area || another) return { filter: ofCollection, filters }
    const bbox = extentOfGeometry(area)
    const filter = await withoutIdleBox(database, mapId, { ...ofCollection, bbox })
    return { filter, filters: filter.bbox === undefined && fillsItsExtent(area) ? [] : filters }
  }

  async function readListed(mapId: string): Promise<Collection[]> {
    const there = new Set<string>()
    for (const collection of listedCollections(() => true)) {
      const count = await countMatching(database, database.read, mapId, filterOf(collection))
      if (count > 0) there.add(collection.id)
    }
    return listedCollections(({ id }) => there.has(id))
  }

  async function readTelling(
    request: FastifyRequest,
    mapId: string,
    { kind }: Collection,
  ): Promise<Omit<Telling, 'system'>> {
    const sight = fieldSightOf(await sightOf(request, database, mapId))
    const ownFields = await readOwnFields(database.read, mapId)
    return { sight, ownFields, properties: propertiesOf(kind, ownFields, sight) }
  }
}

/** The first property in a filter that its caller may not see. Own fields that are not public do not exist for visitors. */
function hiddenProperty(
  filter: string | undefined,
  { kind }: Collection,
  { sight, ownFields, properties }: Omit<Telling, 'system'>,
  readWith: (queryables: ReturnType<typeof queryablesOf>) => unknown,
): string | undefined {
  if (filter === undefined || sight.isStaff) return undefined
  const seen = queryablesOf(properties)
  const all = queryablesOf(
    propertiesOf(kind, openOwnFields(ownFields), { seesPersonalData: true, isStaff: true }),
  )
  const hidden = [...all.keys()].find((name) => !seen.has(name) && filter.includes(name))
  if (hidden === undefined || canRead(() => readWith(seen)) || !canRead(() => readWith(all))) return undefined
  return hidden
}

function canRead(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

/** Many programs, QGIS among them, do not say which version they saw. */
function readNamed({ params, headers }: FastifyRequest<{ Params: z.output<typeof ofItem> }>) {
  const ifMatch = headers['if-match']
  return { id: params.featureId, isExpected: ifMatch === undefined ? () => true : readIfMatch(ifMatch) }
}

function requireCollection({ mapId, collectionId }: z.output<typeof ofCollection>): Collection {
  const collection = findCollection(collectionId)
  if (!collection) throw notFound(`Map ${mapId} has no collection ${collectionId}.`)
  return collection
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  type: MediaType,
  body: object,
  links: readonly Link[] = [],
) {
  const text = JSON.stringify(body)
  return answerText(request, reply, { type, text, content: text, links })
}

/** `content` is the part of the text by which it is known again. */
function answerText(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, text, content, links }: { type: MediaType; text: string; content: string; links: readonly Link[] },
) {
  const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  forOnePerson(reply)
  reply.header('etag', etag)
  if (links.length > 0) reply.header('link', linkHeader(links))
  if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send()
  return send(reply, type, text)
}

/** As bytes: to the type of a text Fastify would add its encoding, and some programs want the type to the letter. */
const send = (reply: FastifyReply, type: MediaType, text: string) =>
  reply.header('content-type', type).send(Buffer.from(text))
