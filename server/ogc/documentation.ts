import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { problem } from '../http/problem.ts'
import { mediaTypes } from './addresses.ts'
import { crs84 } from './reference-systems.ts'

// The OpenAPI document of a map, generated from the schemas of the routes that have an `operationId`. It is
// OpenAPI 3.0, which map programs expect; the document of our own interface is 3.1.

declare module 'fastify' {
  interface FastifyInstance {
    ogcDocument(): OgcDocument
  }
}

type Parameter = { name: string; in: string; style?: string; explode?: boolean; schema?: object }
type OgcDocument = {
  info: object
  components: object
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>
}

const text = z.string().optional()
const link = z.object({ href: z.string(), rel: z.string(), type: text, title: text }).meta({ id: 'link' })
const links = z.array(link)

const collection = z
  .object({
    id: z.string(),
    title: text,
    description: text,
    links,
    extent: z
      .object({
        spatial: z.object({ bbox: z.array(z.array(z.number()).min(4).max(6)).min(1).optional() }).optional(),
        temporal: z
          .object({
            interval: z
              .array(
                z
                  .array(z.string().meta({ format: 'date-time' }).nullable())
                  .min(2)
                  .max(2),
              )
              .min(1)
              .optional(),
          })
          .optional(),
      })
      .optional(),
    itemType: text,
    crs: z.array(z.string()).optional(),
    storageCrs: text,
  })
  .meta({ id: 'collection' })

const anObject = z.looseObject({})
const feature = z
  .object({
    type: z.literal('Feature'),
    id: text,
    geometry: anObject.nullable(),
    properties: anObject.nullable(),
    links: links.optional(),
  })
  .meta({ id: 'feature' })

const count = z.number().min(0).meta({ type: 'integer' }).optional()

export const bodies = {
  landingPage: z.object({ title: text, description: text, links }).meta({ id: 'landingPage' }),
  conformance: z.object({ conformsTo: z.array(z.string()) }).meta({ id: 'conformance' }),
  collection,
  collections: z
    .object({ links, crs: z.array(z.string()).optional(), collections: z.array(collection) })
    .meta({ id: 'collections' }),
  feature,
  featureCollection: z
    .object({
      type: z.literal('FeatureCollection'),
      features: z.array(feature),
      links: links.optional(),
      timeStamp: z.string().meta({ format: 'date-time' }).optional(),
      numberMatched: count,
      numberReturned: count,
    })
    .meta({ id: 'featureCollection' }),
  schema: anObject.meta({ id: 'schema' }),
}

const components = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries({ link, problem, ...bodies })) components.add(schema, { id })

const refTo = (id: string) => ({ $ref: `#/components/schemas/${id}` })
const { schemas } = z.toJSONSchema(components, {
  target: 'openapi-3.0',
  io: 'input',
  uri: (id) => refTo(id).$ref,
})

const documentSchemas = Object.fromEntries(
  Object.entries(schemas).map(([id, { $id: _, ...schema }]) => [id, schema]),
)

export const response = (
  description: string,
  body: keyof typeof bodies,
  type: string = mediaTypes.geoJson,
) => ({ description, content: { [type]: { schema: bodies[body] } } })

const problemOf = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: refTo('problem') } },
})
const problems = {
  '400': problemOf('An invalid or unknown parameter, header or part of the body'),
  '401': problemOf('The token is invalid, or the request needs a signed-in user'),
  '403': problemOf('The role or the token does not allow this, or the token is for another map'),
  '404': problemOf('Not found'),
  '429': problemOf('Too many requests within a minute. Try again after `Retry-After`'),
  '503': problemOf('The query took too long, or too many are waiting. Try again after `Retry-After`'),
  default: problemOf('Any other error (RFC 9457)'),
}
const problemsOfExisting = {
  '412': problemOf('The feature has changed since it had the ETag of `If-Match`'),
  '428': problemOf('`If-Match` is empty'),
}
const problemsOfBody = (type: string) => ({
  '413': problemOf('The body is larger than 2 MB'),
  '415': problemOf(`The body is not ${type}`),
})

const withToken = [{ bearer: [] }, { basic: [] }]
const contentCrs = {
  type: 'string',
  description: `Reference system of the coordinates in the body, as <${crs84.uri}>`,
}
const ifMatch = {
  type: 'string',
  description: 'ETag of the version to change. Returns 412 if the version has changed',
}
const answerHeaders = {
  crs: { 'Content-Crs': { type: 'string', description: 'Reference system of the coordinates' } },
  version: { ETag: { type: 'string', description: 'The version of the feature' } },
  location: { Location: { type: 'string', description: 'The address of the feature' } },
}

export async function registerOgcDocumentation(app: FastifyInstance, prefix: string) {
  await app.register(swagger, {
    decorator: 'ogcDocument',
    openapi: {
      openapi: '3.0.3',
      info: { title: '', version: '1.0.0' },
      tags: [{ name: 'features', description: 'Parcels, assets, and incidents' }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token, which staff create on the website.',
          },
          basic: {
            type: 'http',
            scheme: 'basic',
            description: 'The access token as the password, with any user name.',
          },
        },
      },
    },
    transform: (described) => {
      const { schema, url } = described
      if (!schema?.operationId) return { schema: { hide: true }, url }
      const { hide: _, params, ...visible } = schema
      const { schema: converted } = jsonSchemaTransform({
        ...described,
        schema: { ...visible, params: params instanceof z.ZodObject ? params.omit({ mapId: true }) : params },
      })
      return {
        url: url.slice(prefix.length) || '/',
        schema: {
          ...converted,
          tags: ['features'],
          ...partsOf(String(described.route.method), url.endsWith('/:featureId'), converted.response),
        },
      }
    },
  })
}

function partsOf(method: string, isOfItem: boolean, responses: unknown) {
  const isEdit = method !== 'GET'
  const bodyType =
    method === 'PATCH' ? mediaTypes.mergePatch : method === 'DELETE' || !isEdit ? null : mediaTypes.geoJson
  const hasFeature = JSON.stringify(responses).includes(mediaTypes.geoJson)
  const headers = {
    ...(hasFeature && answerHeaders.crs),
    ...(hasFeature && (isOfItem || isEdit) && answerHeaders.version),
    ...(method === 'POST' && answerHeaders.location),
  }
  return {
    security: isEdit ? withToken : [{}, ...withToken],
    ...(isEdit && {
      headers: {
        type: 'object',
        properties: {
          ...(bodyType && { 'Content-Crs': contentCrs }),
          ...(isOfItem && { 'If-Match': ifMatch }),
        },
      },
    }),
    ...(bodyType && {
      body: {
        content: {
          [bodyType]: { schema: method === 'PATCH' ? { type: 'object' } : refTo('feature') },
        },
      },
    }),
    response: {
      ...Object.fromEntries(
        Object.entries(responses as Record<string, object>).map(([status, one]) => [
          status,
          { ...one, ...(Object.keys(headers).length > 0 && { headers }) },
        ]),
      ),
      ...(isEdit && (isOfItem ? problemsOfExisting : { '409': problemOf('The id is already in use') })),
      ...problems,
      ...(bodyType && problemsOfBody(bodyType)),
    },
  }
}

const crsParameters = ['crs', 'bbox-crs', 'filter-crs']

export function documentOf(
  app: FastifyInstance,
  { title, address, systems }: { title: string; address: string; systems: readonly string[] },
) {
  const document = structuredClone(app.ogcDocument())
  for (const parameter of Object.values(document.paths)
    .flatMap(Object.values<{ parameters?: Parameter[] }>)
    .flatMap(({ parameters = [] }) => parameters)) {
    if (parameter.in !== 'query') continue
    Object.assign(parameter, { required: false, style: 'form', explode: false })
    if (crsParameters.includes(parameter.name))
      parameter.schema = { type: 'string', enum: systems, default: systems[0] }
  }
  const description =
    'The features of the map, as OGC API - Features. Sign in or send an access token to see and change everything that your ' +
    'role allows.'
  return {
    ...document,
    info: { ...document.info, title, description },
    servers: [{ url: address }],
    components: { ...document.components, schemas: documentSchemas },
  }
}
