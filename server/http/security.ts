import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOneOfSeveral } from '../processes/several-servers.ts'
import type { Configuration } from '../settings/configuration.ts'
import { isLoopback } from '../settings/host-names.ts'
import { addressGroup } from './address-group.ts'
import { isDataRoute } from './data-routes.ts'
import { ProblemError } from './problem.ts'
import { SharedRateLimit } from './shared-rate-limit.ts'

export async function registerSecurity(app: FastifyInstance, configuration: Configuration) {
  registerDataHeaders(app, configuration)
  const { baseMapOrigins } = configuration
  await app.register(helmet, {
    enableCSPNonces: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        imgSrc: ["'self'", 'data:', 'blob:', ...baseMapOrigins],
        connectSrc: ["'self'", ...baseMapOrigins],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // The street tile service demands a referrer.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Tiles of other hosts lack this header.
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: strictTransport(configuration),
  })
  await app.register(rateLimit, {
    max: configuration.rateLimitPerMinute,
    timeWindow: '1 minute',
    ...(isOneOfSeveral ? { store: SharedRateLimit } : {}),
    keyGenerator: ({ ip }) => addressGroup(ip),
    allowList: ({ routeOptions: { url } }) => url?.startsWith('/health/') ?? false,
    errorResponseBuilder: (_request, { after }) =>
      new ProblemError(429, `Too many requests from this address; try again in ${after}.`),
  })
}

/** A page's policy has new nonces each time, which took a third of the time of a cached tile. */
const dataHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Pages of any origin may read public data and errors of OGC and Open311: browsers send no cookie with such requests. */
const readableHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Allow, Content-Crs, ETag, Link, Location, Retry-After, WWW-Authenticate',
}

function registerDataHeaders(app: FastifyInstance, configuration: Configuration) {
  const transport = strictTransport(configuration)
  const headers = transport
    ? { ...dataHeaders, 'strict-transport-security': `max-age=${transport.maxAge}` }
    : dataHeaders
  app.addHook('onRoute', (route) => {
    if (isDataRoute(route.url)) route.helmet = false
  })
  app.addHook('onRequest', async ({ routeOptions: { url } }, reply) => {
    if (url !== undefined && isDataRoute(url)) reply.headers(headers)
    if (url?.startsWith('/ogc') || url?.startsWith('/api/maps/:mapId/open311')) reply.headers(readableHeaders)
  })
}

/** HSTS. Not for plain HTTP in a local network, nor for names of this machine, which other programs share. */
function strictTransport({ publicUrl }: Configuration) {
  if (!publicUrl.startsWith('https:') || isLoopback(publicUrl)) return false
  return { maxAge: 31_536_000, includeSubDomains: false }
}

/** Requests with a token are rejected before the general limit counts them. */
export function limitTokens(
  app: FastifyInstance,
  { rateLimitPerMinute: addressLimit, tokenRateLimitPerMinute: tokenLimit }: Configuration,
) {
  return {
    limitAddress: limitBy(app, {
      max: addressLimit,
      who: 'This address',
      keyOf: ({ ip }) => `address ${addressGroup(ip)}`,
    }),
    limitToken: limitBy(app, {
      max: tokenLimit,
      who: 'This token',
      keyOf: ({ token }) => `token ${token?.id}`,
    }),
  }
}

type Limit = { max: number; who: string; keyOf: (request: FastifyRequest) => string }

function limitBy(app: FastifyInstance, { max, who, keyOf }: Limit) {
  const count = app.createRateLimit({ max, keyGenerator: keyOf })
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const limit = await count(request)
    if (limit.isAllowed || !limit.isExceeded) return
    reply.header('retry-after', limit.ttlInSeconds)
    throw new ProblemError(
      429,
      `${who} reached the limit of ${max} requests per minute. Try again in ${limit.ttlInSeconds} s.`,
    )
  }
}
