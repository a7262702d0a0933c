import { mediaTypes, pathOf } from './addresses.ts'
import { filterLanguage, limits } from './items-question.ts'
import { maxFilterLength } from './parse-cql2.ts'

// The OpenAPI 3.0 document of a map, which programs read to find out what they may ask. That of our own interface is 3.1,
// which they do not understand.

type Said = Record<string, unknown>

const text = { type: 'string' }
const array = (items: Said) => ({ type: 'array', items })

const link = {
  type: 'object',
  required: ['href', 'rel'],
  properties: { href: text, rel: text, type: text, title: text },
}
const links = { type: 'array', items: { $ref: '#/components/schemas/link' } }
const extent = {
  type: 'object',
  properties: {
    spatial: {
      type: 'object',
      properties: {
        bbox: {
          type: 'array',
          minItems: 1,
          items: { ...array({ type: 'number' }), minItems: 4, maxItems: 6 },
        },
      },
    },
    temporal: {
      type: 'object',
      properties: {
        interval: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'array',
            minItems: 2,
            maxItems: 2,
            items: { type: 'string', format: 'date-time', nullable: true },
          },
        },
      },
    },
  },
}

const schemas: Said = {
  link,
  landingPage: {
    type: 'object',
    required: ['links'],
    properties: { title: text, description: text, links },
  },
  conformance: { type: 'object', required: ['conformsTo'], properties: { conformsTo: array(text) } },
  collection: {
    type: 'object',
    required: ['id', 'links'],
    properties: {
      id: text,
      title: text,
      description: text,
      links,
      extent,
      itemType: text,
      crs: array(text),
      storageCrs: text,
    },
  },
  collections: {
    type: 'object',
    required: ['links', 'collections'],
    properties: { links, crs: array(text), collections: array({ $ref: '#/components/schemas/collection' }) },
  },
  feature: {
    type: 'object',
    required: ['type', 'geometry', 'properties'],
    properties: {
      type: { type: 'string', enum: ['Feature'] },
      id: text,
      geometry: { type: 'object', nullable: true },
      properties: { type: 'object', nullable: true },
      links,
    },
  },
  featureCollection: {
    type: 'object',
    required: ['type', 'features'],
    properties: {
      type: { type: 'string', enum: ['FeatureCollection'] },
      features: array({ $ref: '#/components/schemas/feature' }),
      links,
      timeStamp: { type: 'string', format: 'date-time' },
      numberMatched: { type: 'integer', minimum: 0 },
      numberReturned: { type: 'integer', minimum: 0 },
    },
  },
  schema: { type: 'object' },
  problem: {
    type: 'object',
    required: ['type', 'title', 'status'],
    properties: {
      type: text,
      title: text,
      status: { type: 'integer' },
      detail: text,
      instance: text,
      errors: array({ type: 'object' }),
    },
  },
}

const query = (name: string, description: string, schema: Said) => ({
  name,
  in: 'query',
  description,
  required: false,
  style: 'form',
  explode: false,
  schema,
})
const inPath = (name: string, description: string) => ({
  name,
  in: 'path',
  description,
  required: true,
  schema: text,
})

const inHeader = (name: string, description: string) => ({
  name,
  in: 'header',
  description,
  required: false,
  schema: text,
})

const answer = (description: string, mediaType: string, schema: string, headers?: Said) => ({
  description,
  ...(headers ? { headers } : {}),
  content: { [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` } } },
})
const problem = (description: string) => answer(description, 'application/problem+json', 'problem')
const problems = {
  '400': problem('A parameter, a header or a part of what is sent that is wrong, or not known'),
  '401': problem('The token does not hold; or nobody is signed in who would have to be'),
  '403': problem('The role or the token does not allow it, or the token is for another map'),
  '404': problem('It is not there'),
  '429': problem('Too many requests within a minute: `Retry-After` says when it goes on'),
  '503': problem('The question took too long, or too many wait: `Retry-After` says when to ask again'),
  default: problem('Anything else that went wrong (RFC 9457)'),
}
/** Of a change to what is there already. */
const stale = {
  '412': problem('It has changed since it had the ETag of `If-Match`'),
  '428': problem('`If-Match` is empty'),
}

const security = [{ bearer: [] }, { basic: [] }]
/** Visitors may ask, too: they are told what everybody may see. */
const openToAll = [{}, ...security]

const operation = (operationId: string, summary: string, ok: Said, parameters: readonly Said[] = []) => ({
  get: {
    operationId,
    summary,
    tags: ['features'],
    security: openToAll,
    parameters,
    responses: { '200': ok, ...problems },
  },
})

/** For whoever may edit. All of it comes by a header, and so do the answers' own. */
const edit = (
  operationId: string,
  summary: string,
  responses: Said,
  { parameters, body }: { parameters: readonly Said[]; body?: { mediaType: string; schema: Said } },
) => ({
  operationId,
  summary,
  tags: ['features'],
  security,
  parameters,
  ...(body && {
    requestBody: { required: true, content: { [body.mediaType]: { schema: body.schema } } },
  }),
  responses: {
    ...responses,
    ...problems,
    ...(body && {
      '413': problem('More than 2 MB are sent'),
      '415': problem(`Something else than ${body.mediaType} is sent`),
    }),
  },
})

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'A token, which staff make in the page.' },
  basic: { type: 'http', scheme: 'basic', description: 'The same token as the password of any user.' },
}

export function openApiDocument({
  title,
  address,
  systems,
}: {
  title: string
  address: string
  systems: readonly string[]
}) {
  const ofSystems = { type: 'string', enum: systems, default: systems[0] }
  const inSystem = { 'Content-Crs': { description: 'The reference system of the coordinates', schema: text } }
  const id = inPath('featureId', 'Its id')
  const collectionId = inPath('collectionId', 'As /collections lists it')
  const sentSystem = inHeader(
    'Content-Crs',
    `Reference system of the coordinates that are sent, as <${systems[0]}>`,
  )
  const ifMatch = inHeader('If-Match', 'The ETag of what was seen: 412 where it has changed since')
  const aFeature = { $ref: '#/components/schemas/feature' }
  const written = { ...inSystem, ETag: { description: 'Its version', schema: text } }
  const changed = { '200': answer('The feature as it is now', mediaTypes.geoJson, 'feature', written) }
  const crs = query('crs', 'Reference system of the coordinates in the answer', ofSystems)
  return {
    openapi: '3.0.3',
    info: {
      title,
      description:
        'What is on the map, as OGC API - Features. Whoever is signed in, or has a token, sees and changes what their ' +
        'role allows.',
      version: '1.0.0',
    },
    servers: [{ url: address }],
    tags: [{ name: 'features', description: 'Parcels, assets and incidents' }],
    paths: {
      '/': operation(
        'getLandingPage',
        'Where everything is',
        answer('The landing page', mediaTypes.json, 'landingPage'),
      ),
      [pathOf.conformance]: operation(
        'getConformance',
        'Which standards it keeps to',
        answer('The classes of the standards', mediaTypes.json, 'conformance'),
      ),
      [pathOf.collections]: operation(
        'getCollections',
        'What there is: a collection for each kind and shape',
        answer('The collections', mediaTypes.json, 'collections'),
      ),
      [pathOf.collection('{collectionId}')]: operation(
        'getCollection',
        'One collection',
        answer('The collection', mediaTypes.json, 'collection'),
        [collectionId],
      ),
      [pathOf.queryables('{collectionId}')]: operation(
        'getQueryables',
        'What a filter can ask for',
        answer('A JSON Schema', mediaTypes.schema, 'schema'),
        [collectionId],
      ),
      [pathOf.schema('{collectionId}')]: operation(
        'getSchema',
        'What its features say',
        answer('A JSON Schema', mediaTypes.schema, 'schema'),
        [collectionId],
      ),
      [pathOf.items('{collectionId}')]: {
        ...operation(
          'getFeatures',
          'Features, page by page: each links to the next one',
          answer('A page of features', mediaTypes.geoJson, 'featureCollection', inSystem),
          [
            collectionId,
            query('limit', 'At most so many features; more than the maximum are cut to it', {
              type: 'integer',
              minimum: limits.least,
              maximum: limits.most,
              default: limits.usual,
            }),
            query(
              'bbox',
              'Those that have a point in common with a box: its lower corner, then its upper one',
              {
                ...array({ type: 'number' }),
                minItems: 4,
                maxItems: 6,
              },
            ),
            query('bbox-crs', 'Reference system of the box', ofSystems),
            query(
              'datetime',
              'Those of an instant or an interval, ends included, and those without a time',
              text,
            ),
            crs,
            query('filter', 'CQL2 text, with the names that /queryables has', {
              ...text,
              maxLength: maxFilterLength,
            }),
            query('filter-lang', 'The language of the filter', {
              type: 'string',
              enum: [filterLanguage],
              default: filterLanguage,
            }),
            query('filter-crs', 'Reference system of the coordinates in the filter', ofSystems),
            query('after', 'Where the page before ended, as its link `next` has it', text),
          ],
        ),
        post: edit(
          'addFeature',
          'Add a feature',
          {
            '201': answer('The feature as it is now', mediaTypes.geoJson, 'feature', {
              ...written,
              Location: { description: 'Its address', schema: text },
            }),
            '409': problem('There is another one with this id'),
          },
          {
            parameters: [collectionId, sentSystem],
            body: { mediaType: mediaTypes.geoJson, schema: aFeature },
          },
        ),
      },
      [pathOf.item('{collectionId}', '{featureId}')]: {
        ...operation(
          'getFeature',
          'One feature',
          answer('The feature', mediaTypes.geoJson, 'feature', written),
          [collectionId, id, crs],
        ),
        put: edit(
          'replaceFeature',
          'Replace a feature: what is not said of it is not known any more',
          { ...changed, ...stale },
          {
            parameters: [collectionId, id, sentSystem, ifMatch],
            body: { mediaType: mediaTypes.geoJson, schema: aFeature },
          },
        ),
        patch: edit(
          'changeFeature',
          'Change what is named of a feature; null is not known',
          { ...changed, ...stale },
          {
            parameters: [collectionId, id, sentSystem, ifMatch],
            body: { mediaType: mediaTypes.mergePatch, schema: { type: 'object' } },
          },
        ),
        delete: edit(
          'removeFeature',
          'Remove a feature; it can be put back in the page for 30 days',
          { '204': { description: 'It is not there any more' }, ...stale },
          { parameters: [collectionId, id, ifMatch] },
        ),
      },
    },
    components: { schemas, securitySchemes },
  }
}
