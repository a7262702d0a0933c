import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { singleFields } from '#domain/definition/definition.ts'
import { maxSelected } from '#domain/features/bulk-change.ts'
import { maxColumnFields } from '#domain/features/column-fields.ts'
import { type CustomFields, fieldsOf, noCustomFields } from '#domain/features/custom-fields.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { featureCounts, featureSummary, pageOf } from '#domain/features/feature.schema.ts'
import { maxFeaturesInAnswer } from '#domain/features/feature-collection.ts'
import { type FeatureSort, featureSorts } from '#domain/features/feature-sort.ts'
import { areaRing, featuresWithin } from '#domain/features/features-within.schema.ts'
import { filterCounts } from '#domain/features/filter-counts.schema.ts'
import type { FeatureGroup } from '#domain/features/filter-counts.ts'
import { featureId, mapId } from '#domain/values/common.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import type { Database } from '../../database/database.ts'
import type { QueueClient } from '../../database/fair-queue.ts'
import { readNumberCursor, writeCursor } from '../../http/cursor.ts'
import { disconnectSignal } from '../../http/disconnect-signal.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { mapFilter, numberText, pageCursor, pageLimit } from '../../http/page-parameters.ts'
import { badParameter, notFound } from '../../http/problem.ts'
import { sumCounts } from '../../thinning/read-totals.queries.ts'
import { readCustomFields } from '../custom-fields/custom-fields.queries.ts'
import { hasFeature } from '../rows/feature-rows.queries.ts'
import { fieldSightOf, requireColumns, type Sight, sightOf, viewerOf } from '../rows/sight.ts'
import { seenFields } from '../rows/stored-fields.ts'
import { readFeatureCollection } from './feature-collection.queries.ts'
import { completeFilter, type FeatureFilter, featureFilter, requireSight } from './feature-filter.ts'
import { listFeatures, listFeaturesFrom } from './feature-list.queries.ts'
import { countByKindAndShape, readFeaturesWithin, withoutUselessBox } from './feature-matches.queries.ts'
import { readPosition } from './feature-order.queries.ts'
import type { SummaryFields } from './feature-summaries.queries.ts'
import { readFeatureGroups } from './filter-counts.queries.ts'
import { readListPosition, toListPage } from './list-page.ts'

const maxOffset = 1_000_000_000

const sort = z
  .enum(featureSorts)
  .optional()
  .meta({
    description:
      'Defaults to list order. Sorting by status lists open incidents (by severity) and assets out of order first. ' +
      'Features without a value are last. Features with equal values are in list order.',
  })

const offset = numberText(z.int().min(0).max(maxOffset))
  .optional()
  .meta({ description: 'Number of rows to skip, instead of `after`' })

const fields = z
  .string()
  .max(1_000)
  .transform((text) => [...new Set(text.split(',').filter((path) => path !== ''))])
  .pipe(z.array(z.string()).max(maxColumnFields, `must have at most ${maxColumnFields} fields`))
  .default([])
  .meta({
    description:
      'Additional fields to return in `values`, as paths separated by commas: owner,zoning.type. Fields of any ' +
      'kind, including custom fields (own.gateCode), but no lists. A field that you cannot see causes ' +
      'a 401 or 403',
  })

function fieldNames(customFields: CustomFields, sight: Sight): ReadonlySet<string> {
  const kinds = Object.keys(definitions) as DefinedKind[]
  const fieldSight = fieldSightOf(sight)
  const seen = kinds.flatMap((kind) => singleFields(seenFields(fieldsOf(kind, customFields), fieldSight)))
  return new Set([...seen.map(([path]) => path), ...(fieldSight.isStaff ? ['nextDue'] : [])])
}

export const featureListRoutes: FastifyPluginCallbackZod<{ database: Database }> = (
  app,
  { database },
  done,
) => {
  app.get('/api/maps/:mapId/features', {
    config: { access: 'public' },
    schema: {
      summary: 'List features of a map',
      description:
        'Queries that may read a large part of the map are queued and limited to 10 seconds. Returns 503 with Retry-After if ' +
        'too many are waiting, or the query took longer. Pages of the whole map or of some kinds, in list order, are not limited. ' +
        'Visitors see owners only if the configuration makes personal data public.',
      tags: ['features'],
      params: z.object({ mapId }),
      querystring: z.strictObject({
        ...featureFilter,
        sort,
        limit: pageLimit,
        after: pageCursor,
        offset,
        fields,
      }),
      response: { 200: pageOf(featureSummary) },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const caller = { mapId, signal: request.signal }
      const { limit, after, offset, sort, fields, ...filters } = request.query
      if (after !== undefined && offset !== undefined)
        throw badParameter('query', 'offset', 'cannot be combined with after')
      await requireSight(request, filters, mapId)
      const viewer = await viewerOf(request, database, mapId)
      const { sight } = viewer
      const customFields = fields.length === 0 ? noCustomFields : await readCustomFields(database.read, mapId)
      const namesFor = (one: Sight) => fieldNames(customFields, one)
      await requireColumns(viewer, { parameter: 'fields', names: fields, namesFor })
      const extraFields = { fields, customFields, ...fieldSightOf(sight) }
      const filter = await withoutUselessBox(
        database,
        mapId,
        await completeFilter(database, { mapId, sight }, filters),
      )
      forOnePerson(reply)
      if (sort) return readSorted(caller, filter, { limit, after, offset, sort }, extraFields)
      const position = after === undefined ? undefined : readListPosition(after)
      const page =
        offset === undefined
          ? await listFeatures(database, caller, filter, { limit, after: position }, extraFields)
          : await listFeaturesFrom(database, caller, filter, { limit, offset, sort }, extraFields)
      return toListPage(page)
    },
  })

  app.get('/api/maps/:mapId/features/:id/position', {
    config: { access: 'public' },
    schema: {
      summary: 'Get the position of a feature in the list',
      description: 'Starts at 0. Null if the filter does not match the feature.',
      tags: ['features'],
      params: z.object({ mapId, id: featureId }),
      querystring: z.strictObject({ ...featureFilter, sort }),
      response: { 200: z.object({ position: z.number().int().min(0).nullable() }) },
    },
    async handler(request, reply) {
      const { mapId, id } = request.params
      const caller = { mapId, signal: request.signal }
      const { sort, ...filters } = request.query
      if (!(await hasFeature(database, mapId, id))) throw notFound(`Map ${mapId} has no feature ${id}.`)
      await requireSight(request, filters, mapId)
      const sight = await sightOf(request, database, mapId)
      forOnePerson(reply)
      const filter = await withoutUselessBox(
        database,
        mapId,
        await completeFilter(database, { mapId, sight }, filters),
      )
      return { position: await readPosition(database, caller, id, filter, sort) }
    },
  })

  app.get('/api/maps/:mapId/counts', {
    config: { access: 'public' },
    schema: {
      summary: 'Count the features of a map by kind and shape',
      description: 'Counts are exact, and fast for any number of features.',
      tags: ['features'],
      params: z.object({ mapId }),
      querystring: z.strictObject({ kind, shape, due, ...others }),
      response: { 200: featureCounts },
    },
    async handler(request) {
      const { mapId } = request.params
      const caller = { mapId, signal: request.signal }
      await requireSight(request, request.query, mapId)
      const sight = await sightOf(request, database, mapId)
      const filter = await completeFilter(database, { mapId, sight }, request.query)
      return sumCounts(await countByKindAndShape(database, caller, filter))
    },
  })

  app.get('/api/maps/:mapId/filter-counts', {
    config: { access: 'public' },
    schema: {
      summary: 'Count the features of a map by everything that filters can select',
      description:
        'Each group has the same values in all filters: its count tells how many features a choice would match. ' +
        'Time ranges and maintenance are relative to the current day in the time zone of the map.',
      tags: ['features'],
      params: z.object({ mapId }),
      querystring: z.strictObject({ text: featureFilter.text }),
      response: { 200: filterCounts },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const sight = await sightOf(request, database, mapId)
      forOnePerson(reply)
      const filter = await completeFilter(database, { mapId, sight }, request.query)
      const groups = await readFeatureGroups(database, { mapId, signal: request.signal }, filter)
      const isStaff = sight === 'everything'
      return { groups: groups && (isStaff ? groups : withoutDue(groups)) }
    },
  })

  app.get('/api/maps/:mapId/features.geojson', {
    config: { access: 'public', mediaTypes: [geoJsonType] },
    schema: {
      summary: 'Get features of a map with their geometries',
      description:
        `At most ${maxFeaturesInAnswer} features, or 16 MB. If more match, features that the map shows at low zoom levels come ` +
        'first. `numberMatched` is the number of matching features, `numberReturned` of features in the response. ' +
        'Queued and limited to 10 seconds. Returns 503 with Retry-After if too many are waiting, or the query took longer.',
      tags: ['features'],
      params: z.object({ mapId }),
      querystring: z.strictObject(featureFilter),
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const caller = { mapId, signal: request.signal }
      await requireSight(request, request.query, mapId)
      const sight = await sightOf(request, database, mapId)
      const filter = await withoutUselessBox(
        database,
        mapId,
        await completeFilter(database, { mapId, sight }, request.query),
      )
      forOnePerson(reply)
      return reply
        .header('content-type', geoJsonType)
        .send(await readFeatureCollection(database, caller, filter))
    },
  })

  app.post('/api/maps/:mapId/features-within', {
    config: { access: 'editor', onlyReads: true },
    bodyLimit,
    schema: {
      summary: 'Find features in an area',
      description:
        'Returns features inside the area, and those that cross or touch its edge. ' +
        `Up to ${formatNumber(maxSelected)}, which you can pass to a bulk change. Queued and limited to 10 seconds. ` +
        'Returns 503 with Retry-After if too many are waiting, or the query took longer.',
      tags: ['features'],
      params: z.object({ mapId }),
      body: z.strictObject({
        ring: areaRing,
        filter: z.strictObject(featureFilter).default({}).meta({
          description: 'The same filter as for the list of features. Empty selects all features on the map',
        }),
      }),
      response: { 200: featuresWithin },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { ring, filter } = request.body
      const signal = disconnectSignal(reply)
      forOnePerson(reply)
      const seen = await completeFilter(database, { mapId, sight: 'everything' }, filter)
      return readFeaturesWithin(database, { mapId, signal }, seen, ring)
    },
  })
  done()

  type Part = { limit: number; after: string | undefined; offset: number | undefined; sort: FeatureSort }

  /** Sorted pages are numbered parts: the cursor is the index of the next one. */
  async function readSorted(
    caller: QueueClient,
    filter: FeatureFilter,
    { limit, after, offset, sort }: Part,
    extraFields: SummaryFields,
  ) {
    const first = after === undefined ? (offset ?? 0) : readNumberCursor(after, maxOffset)
    const page = await listFeaturesFrom(database, caller, filter, { limit, offset: first, sort }, extraFields)
    return { ...toListPage(page), next: page.last && writeCursor([String(first + limit)]) }
  }
}

const { shape, due } = featureFilter

/** Visitors do not see which maintenance is due. */
function withoutDue(groups: readonly FeatureGroup[]): FeatureGroup[] {
  return groups.map((group) => ({ ...group, due: null }))
}
const { kind, ...others } = mapFilter

const geoJsonType = 'application/geo+json'

const bodyLimit = 128 * 1024
