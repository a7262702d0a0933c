import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { problem } from './problem.ts'

const refused = {
  description: 'Anything that went wrong (RFC 9457)',
  content: { 'application/problem+json': { schema: z.toJSONSchema(problem) } },
}

/** OpenAPI 3.1, made from the routes' own schemas. */
export async function registerDocumentation(app: FastifyInstance) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'POA Land Management',
        description: 'Land parcels, assets and incidents of property owners’ associations.',
        version: '0.1.0',
        license: { name: 'MIT' },
      },
      tags: [
        { name: 'clients', description: 'Associations; each has one map' },
        { name: 'maps', description: 'What a map is, how it opens, and what happened on it' },
        { name: 'features', description: 'Incidents, assets and parcels' },
        { name: 'drawings', description: 'What staff drew on a map' },
        { name: 'tiles', description: 'The same features as vector tiles' },
        { name: 'identity', description: 'Who is signed in' },
        { name: 'health', description: 'For whoever watches over the server' },
      ],
    },
    transform(route) {
      const { schema, url } = jsonSchemaTransform(route)
      const response = {
        ...(schema.response ?? { 200: { description: 'What was asked for' } }),
        default: refused,
      }
      return { url, schema: { ...schema, response } }
    },
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true })
  app.get('/api/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    app.swagger(),
  )
}
