import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type AccessRule, mapRoleLabels, rolesUnder } from '#domain/access/access.ts'
import type { TokenScope } from '#domain/access/api-token.schema.ts'
import { formatList } from '#domain/values/wording.ts'
import type { Configuration } from '../settings/configuration.ts'
import { sessionCookieName } from './access.ts'
import { problem } from './problem.ts'
import { scopeOfRoute } from './token-access.ts'

const refused = {
  description: 'Any error (RFC 9457)',
  content: { 'application/problem+json': { schema: z.toJSONSchema(problem) } },
}

declare module 'fastify' {
  interface FastifyContextConfig {
    mediaTypes?: readonly MediaType[]
  }
}

type MediaType = keyof typeof schemaOfMediaType

const schemaOfMediaType = {
  'application/json': { type: 'object' },
  'application/geo+json': { type: 'object' },
  'application/geo+json-seq': { type: 'string' },
  'application/geopackage+sqlite3': { type: 'string', format: 'binary' },
  'application/gpx+xml': { type: 'string' },
  'application/octet-stream': { type: 'string', format: 'binary' },
  'application/vnd.google-earth.kml+xml': { type: 'string' },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { type: 'string', format: 'binary' },
  'application/zip': { type: 'string', format: 'binary' },
  'application/vnd.mapbox-vector-tile': { type: 'string', format: 'binary' },
  'text/event-stream': { type: 'string' },
  'text/calendar': { type: 'string' },
  'text/csv': { type: 'string' },
  'image/png': { type: 'string', format: 'binary' },
  'image/jpeg': { type: 'string', format: 'binary' },
  'image/webp': { type: 'string', format: 'binary' },
  'image/svg+xml': { type: 'string' },
  'application/pdf': { type: 'string', format: 'binary' },
} as const

const contentOf = (mediaTypes: readonly MediaType[]) =>
  Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaOfMediaType[type] }]))

function describeAccess(rule: AccessRule): string[] {
  if (rule === 'public') return []
  if (rule === 'signed-in') return ['For signed-in users.']
  if (rule === 'administrator') return ['For administrators.']
  const roles = rolesUnder(rule).map((role) => `${mapRoleLabels[role].toLowerCase()}s`)
  return [`For ${formatList(roles)} of the map, and administrators.`]
}

const whichToken = (scope: TokenScope | null) =>
  scope === null ? 'Not available to access tokens.' : `An access token needs the scope \`${scope}\`.`

function operationIdOf(method: string, url: string): string {
  const words = url
    .replace(/^\/api\//, '/')
    .split(/[/.-]/)
    .filter(Boolean)
    .map((word) => (word.startsWith(':') ? `by-${word.slice(1)}` : word))
    .flatMap((word) => word.split('-'))
  const capitalized = words.map((word) => word[0]?.toUpperCase() + word.slice(1))
  return method.toLowerCase() + capitalized.join('')
}

export async function registerDocumentation(app: FastifyInstance, configuration: Configuration) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'POA Land Management',
        description:
          'Land parcels, assets, and incidents of property owners’ associations. Mapping software connects to `/ogc` ' +
          `(OGC API - Features), which has a separate document for each map.\n\n${examplesAsMarkdown()}`,
        version: '0.1.0',
        license: { name: 'MIT' },
      },
      tags: [
        { name: 'clients', description: 'Associations; each has one map' },
        { name: 'maps', description: 'Maps with their configuration and activity' },
        { name: 'features', description: 'Incidents, assets, and parcels' },
        {
          name: 'imports',
          description: 'File imports, with preview and undo',
        },
        { name: 'files', description: 'Photos and documents of features' },
        { name: 'reports', description: 'Problems that residents report' },
        { name: 'subscriptions', description: 'Emails about incidents, for people without an account' },
        { name: 'open311', description: 'Open311 GeoReport v2: incidents, and reports from other programs' },
        { name: 'work', description: 'Progress of incidents, notes, and links for contractors' },
        { name: 'maintenance', description: 'Maintenance history of assets, and due dates' },
        { name: 'drawings', description: 'Shapes that staff draw on a map' },
        {
          name: 'webhooks',
          description: 'Notifications of changes (https://www.standardwebhooks.com)',
        },
        { name: 'tiles', description: 'Features as vector tiles' },
        { name: 'identity', description: 'Sessions and access tokens' },
        { name: 'jobs', description: 'Background jobs' },
        { name: 'health', description: 'Health checks for monitoring' },
      ],
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookieName(configuration),
            description: 'Set when you sign in (/sign-in).',
          },
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token. It also works as the password of `Basic`, with any user name.',
          },
        },
      },
    },
    transform(described) {
      const { schema, url } = jsonSchemaTransform(described)
      const { config, method } = described.route
      const rule = config?.access ?? 'public'
      const scope = scopeOfRoute(config ?? {}, { method: String(method), url: described.url })
      const ways: Record<string, string[]>[] = [{ session: [] }, ...(scope === null ? [] : [{ token: [] }])]
      const described200 = {
        description: 'The requested data',
        ...(config?.mediaTypes ? { content: contentOf(config.mediaTypes) } : {}),
      }
      return {
        url,
        schema: {
          ...schema,
          operationId: operationIdOf(String(method), url),
          description:
            [schema.description, ...describeAccess(rule), whichToken(scope)].filter(Boolean).join(' ') ||
            undefined,
          security: rule === 'public' ? [] : ways,
          response: { default: refused, ...(schema.response ?? { 200: described200 }) },
        },
      }
    },
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: true })
  app.get('/api/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    app.swagger(),
  )
}

const folder = new URL('../../docs/examples/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8')

const languages: Record<string, string> = {
  '.csv': 'csv',
  '.mjs': 'js',
  '.py': 'python',
  '.R': 'r',
  '.sh': 'sh',
}

function examplesAsMarkdown(): string {
  return read('README.md').replaceAll(/^- \[(.+)\]\((\S+)\)$/gm, (_, name: string, path: string) => {
    const code = `\`\`\`${languages[extname(path)]}\n${read(path)}\`\`\``
    return `<details>\n<summary>${name}</summary>\n\n${code}\n\n</details>`
  })
}
