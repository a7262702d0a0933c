import type { FastifyReply, FastifyRequest } from 'fastify'
import { openCustomFields } from '#domain/features/custom-fields.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { featureId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import type { QueueClient } from '../database/fair-queue.ts'
import { Pauses } from '../database/pauses.ts'
import { rowsOfFirstPart, rowsOfNextPart } from '../database/row-parts.ts'
import type { FeatureColumns } from '../database/tables.ts'
import type { FeatureFilter } from '../features/lists/feature-filter.ts'
import { type ListPosition, readListPart } from '../features/lists/feature-list.queries.ts'
import { withoutUselessBox } from '../features/lists/feature-matches.queries.ts'
import { readListPosition, writeListPosition } from '../features/lists/list-page.ts'
import { readFeature, readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { fillsItsExtent } from '../geometry/extents.ts'
import { requireAccess } from '../http/access.ts'
import { readCursor, wholeNumber, writeCursor } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf } from '../http/if-match.ts'
import { notFound } from '../http/problem.ts'
import { type Link, linkHeader, mediaTypes, pathOf, relations } from './addresses.ts'
import { type Collection, filterOf, instantOf, isIn } from './collections.ts'
import type { Cql2 } from './cql2.ts'
import { conditionOf, isLedByIndex } from './cql2-condition.queries.ts'
import { response } from './documentation.ts'
import { findSystem, type ItemsQuery, itemQuery, itemsQuery, limitOf, readItemsQuery } from './items-query.ts'
import {
  collectionParams,
  itemParams,
  itemPath,
  itemsPath,
  type OgcContext,
  requireCollection,
  sendBytes,
  sendJson,
  type ZodApp,
} from './map-context.ts'
import { type ItemView, type Property, propertiesOf, queryablesOf, toItem } from './properties.ts'
import type { ReferenceSystem } from './reference-systems.ts'

type View = Omit<ItemView, 'system'>
type Queryables = ReadonlyMap<string, Property>

export function addItemRoutes(app: ZodApp, context: OgcContext) {
  const { database, addressOf, urlOf, readSystems, readView } = context
  const config = { access: 'public' } as const

  app.get(
    itemsPath,
    {
      config,
      schema: {
        hide: true,
        operationId: 'getFeatures',
        summary: 'Features, with links to the next page',
        params: collectionParams,
        querystring: itemsQuery,
        response: { 200: response('A page of features', 'featureCollection') },
      },
    },
    async (request, reply) => {
      const { params, query } = request
      const { mapId } = params
      const collection = requireCollection(params)
      const systems = await readSystems(mapId)
      const system = findSystem(systems, 'crs', query.crs)
      const view = await readView(request, mapId, collection)
      const filter = await readFilter(request, collection, view, systems)
      const from = query.after === undefined ? undefined : readItemsPosition(query.after)
      const client = { mapId, signal: request.signal }
      const { rows, total, next } = await readItems(database, client, filter, { limit: limitOf(query), from })

      const address = addressOf(request, mapId)
      const url = urlOf(request)
      const links: Link[] = [
        { rel: 'self', href: url, type: mediaTypes.geoJson },
        { rel: 'collection', href: address + pathOf.collection(collection.id), type: mediaTypes.json },
        { rel: 'describedby', href: address + pathOf.schema(collection.id), type: mediaTypes.schema },
      ]
      if (next) {
        const nextUrl = new URL(url)
        nextUrl.searchParams.set('after', writeItemsPosition(next))
        links.push({ rel: 'next', href: nextUrl.href, type: mediaTypes.geoJson })
      }
      const features: string[] = []
      const pauses = new Pauses()
      for (const row of rows) {
        features.push(JSON.stringify(toItem(row, { ...view, system })))
        await pauses.pause()
      }
      const counts = `"numberMatched":${total},"numberReturned":${rows.length}`
      const content = `"links":${JSON.stringify(links)},${counts},"features":[${features.join(',')}]}`
      reply.header('content-crs', `<${system.uri}>`)
      return sendJson(request, reply, {
        type: mediaTypes.geoJson,
        content,
        text: `{"type":"FeatureCollection","timeStamp":"${new Date().toISOString()}",${content}`,
        links,
      })
    },
  )

  app.get(
    itemPath,
    {
      config,
      schema: {
        hide: true,
        operationId: 'getFeature',
        summary: 'One feature',
        params: itemParams,
        querystring: itemQuery,
        response: { 200: response('The feature', 'feature') },
      },
    },
    async (request, reply) => {
      const { mapId, featureId: id } = request.params
      const collection = requireCollection(request.params)
      const system = findSystem(await readSystems(mapId), 'crs', request.query.crs)
      const row = featureId.safeParse(id).success ? await readFeature(database, mapId, id) : undefined
      if (!row || !isIn(collection, row))
        throw notFound(`The collection ${collection.id} of map ${mapId} has no feature ${id}.`)
      return sendItem(context, request, reply, row, { collection, system, url: urlOf(request) })
    },
  )

  async function readFilter(
    request: FastifyRequest<{ Params: { mapId: string }; Querystring: ItemsQuery }>,
    collection: Collection,
    view: View,
    systems: readonly ReferenceSystem[],
  ): Promise<FeatureFilter> {
    const { mapId } = request.params
    const read = (queryables: Queryables) =>
      readItemsQuery(request.query, { systems, queryables, instant: instantOf(collection) })
    const hidden = findHiddenProperty(request.query.filter, collection, view, read)
    if (hidden !== undefined)
      await requireAccess(request, 'staff', mapId, `The property ‘${hidden}’ is only for staff of the map.`)
    const queryables = queryablesOf(view.properties)
    const { areas, filters } = read(queryables)
    const boxed = await readBox(mapId, filterOf(collection), areas)
    const conditions = [...boxed.filters, ...filters]
    if (conditions.length === 0) return boxed.filter
    const whole: Cql2 = { is: 'and', of: conditions }
    return {
      ...boxed.filter,
      condition: conditionOf(database, mapId, whole, queryables),
      isLedByIndex: isLedByIndex(whole, queryables),
    }
  }

  /** A single area uses the index of extents. An area around the whole map needs no condition. */
  async function readBox(
    mapId: string,
    collectionFilter: FeatureFilter,
    areas: readonly Geometry[] | undefined,
  ): Promise<{ filter: FeatureFilter; filters: readonly Cql2[] }> {
    if (!areas) return { filter: collectionFilter, filters: [] }
    const filters: Cql2[] = [{ is: 'meets', geometries: areas }]
    const [area, another] = areas
    if (!area || another) return { filter: collectionFilter, filters }
    const bbox = extentOfGeometry(area)
    const filter = await withoutUselessBox(database, mapId, { ...collectionFilter, bbox })
    return { filter, filters: filter.bbox === undefined && fillsItsExtent(area) ? [] : filters }
  }
}

export async function sendItem(
  { addressOf, readView }: OgcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  row: FeatureColumns,
  { collection, system, url }: { collection: Collection; system: ReferenceSystem; url: string },
) {
  const address = addressOf(request, row.map_id)
  const view = await readView(request, row.map_id, collection)
  const links: Link[] = [
    { rel: 'self', href: url, type: mediaTypes.geoJson },
    { rel: 'collection', href: address + pathOf.collection(collection.id), type: mediaTypes.json },
    { rel: relations.schema, href: address + pathOf.schema(collection.id), type: mediaTypes.schema },
  ]
  forOnePerson(reply)
  reply
    .header('content-crs', `<${system.uri}>`)
    .header('etag', etagOf(row.version))
    .header('link', linkHeader(links))
  return sendBytes(reply, mediaTypes.geoJson, JSON.stringify({ ...toItem(row, { ...view, system }), links }))
}

/** Custom fields that are not public do not exist for visitors. */
function findHiddenProperty(
  filter: string | undefined,
  { kind }: Collection,
  { sight, customFields, properties }: View,
  read: (queryables: Queryables) => unknown,
): string | undefined {
  if (filter === undefined || sight.isStaff) return undefined
  const visible = queryablesOf(properties)
  const all = queryablesOf(
    propertiesOf(kind, openCustomFields(customFields), { seesPersonalData: true, isStaff: true }),
  )
  const hidden = [...all.keys()].find((name) => !visible.has(name) && filter.includes(name))
  if (hidden === undefined || isValid(() => read(visible)) || !isValid(() => read(all))) return undefined
  return hidden
}

function isValid(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

const maxBytesPerPage = 8_000_000

export type ItemsPosition = { after: ListPosition; total: number }

function writeItemsPosition({ after, total }: ItemsPosition): string {
  return writeCursor([writeListPosition(after), String(total)])
}

function readItemsPosition(cursor: string): ItemsPosition {
  const [after, total] = readCursor(cursor, 2)
  return { after: readListPosition(after), total: wholeNumber(total) }
}

/** `next` is null for the last page. Skips features that were removed meanwhile. */
export async function readItems(
  database: Database,
  client: QueueClient,
  filter: FeatureFilter,
  { limit, from }: { limit: number; from: ItemsPosition | undefined },
  maxBytes = maxBytesPerPage,
): Promise<{ rows: FeatureColumns[]; total: number; next: ItemsPosition | null }> {
  const found = await readListPart(database, client, filter, {
    limit,
    after: from?.after,
    total: from?.total,
  })
  const { total } = found
  const rows: FeatureColumns[] = []
  let bytes = 0
  let last = found.isFollowed ? found.rows.at(-1) : undefined
  let size = rowsOfFirstPart
  const pauses = new Pauses()
  for (let start = 0; start < found.rows.length && bytes < maxBytes; ) {
    const part = found.rows.slice(start, start + size)
    const byId = await readRowsOf(
      database.read,
      client.mapId,
      part.map(({ id }) => id),
    )
    for (const position of part) {
      const row = byId.get(position.id)
      if (!row) continue
      rows.push(row)
      bytes += row.geometry.length
      if (bytes < maxBytes) continue
      if (position !== found.rows.at(-1)) last = position
      break
    }
    start += size
    size = rowsOfNextPart(start, bytes)
    await pauses.pause()
  }
  return {
    rows,
    total,
    next: last
      ? {
          after: { kind: last.kind, dateOrder: last.date_order, nameOrder: last.name_order, id: last.id },
          total,
        }
      : null,
  }
}
