import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpeningData } from '#domain/opening/opening.schema.ts'
import { openingElementId } from '#domain/opening/opening-page.ts'
import type { Database } from '../database/database.ts'
import { sessionCookieName } from '../http/access.ts'
import { answerNotFound } from '../http/problem.ts'
import type { Configuration } from '../settings/configuration.ts'
import { manifestElementOf, registerManifest } from './manifest.routes.ts'
import { readOpeningData } from './opening-data.ts'
import { readPreloads } from './preloads.ts'

/** Replaced in the page by the nonce of its content security policy. */
const noncePlaceholder = '__NONCE__'

const yearSeconds = 31_536_000

type PageOptions = { database: Database; configuration: Configuration; pageDirectory: string }

/**
 * Serves the built page: files below /assets have a hash of their content in their names and are cached
 * forever; every other GET without a route returns the page itself, which reads the address.
 */
export async function registerPage(
  app: FastifyInstance,
  { database, configuration, pageDirectory }: PageOptions,
) {
  const html = readFileSync(join(pageDirectory, 'index.html'), 'utf8')
  const preloads = readPreloads(pageDirectory, html)

  await app.register(fastifyStatic, {
    root: pageDirectory,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const isNamedByContent = path.includes('/assets/')
      reply.header(
        'cache-control',
        isNamedByContent ? `public, max-age=${yearSeconds}, immutable` : 'no-cache',
      )
    },
  })
  const assets = new Set(listFiles(join(pageDirectory, 'assets')))
  const hidden = { schema: { hide: true } }
  // One route for all of them: a route for each would take a sixth of the server's start time.
  app.get<{ Params: { name: string } }>('/assets/:name', hidden, (request, reply) => {
    const { name } = request.params
    return assets.has(name) ? reply.sendFile(`assets/${name}`) : answerNotFound(request, reply)
  })
  const ownRoutes = ['index.html', workerName]
  for (const name of listFiles(pageDirectory).filter((name) => !ownRoutes.includes(name)))
    app.get(`/${name}`, hidden, (_, reply) => reply.sendFile(name))
  registerServiceWorker(app, pageDirectory, configuration)
  registerManifest(app, database)

  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) => {
    const isPage =
      ['GET', 'HEAD'].includes(request.method) && !/^\/(api|health|ogc|assets)(\/|$|\?)/.test(request.url)
    return isPage ? sendPage(request, reply) : answerNotFound(request, reply)
  })

  async function sendPage(request: FastifyRequest, reply: FastifyReply) {
    const [path = '/', search = ''] = request.url.split('?')
    const hasSession = request.cookies[sessionCookieName(configuration)] !== undefined
    const requested = { path, hasSearch: search !== '', hasSession }
    const opening = await readOpeningData(database, configuration, requested).catch((error) => {
      // The page requests the data itself, and shows the error.
      request.log.warn(error, 'the page was sent without its opening data')
      return undefined
    })
    const head = [
      ...(opening ? preloads.map : preloads.other),
      ...(opening ? [elementOf(opening)] : []),
      ...(opening?.map ? [manifestElementOf(opening.map.summary.id)] : []),
    ]
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(
        html
          .replaceAll(noncePlaceholder, reply.cspNonce.style)
          .replace('</head>', () => `${head.join('')}</head>`),
      )
  }
}

const workerName = 'service-worker.js'

/** Other base maps change the script, so that browsers install it again, with its new content security policy. */
function registerServiceWorker(
  app: FastifyInstance,
  pageDirectory: string,
  { baseMapOrigins }: Pick<Configuration, 'baseMapOrigins'>,
) {
  const path = join(pageDirectory, workerName)
  if (!existsSync(path)) return
  const script = `self.tileOrigins = ${JSON.stringify(baseMapOrigins)};\n${readFileSync(path, 'utf8')}`
  app.get(`/${workerName}`, { schema: { hide: true } }, (_, reply) =>
    reply
      .header('content-type', 'text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(script),
  )
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(gz|br)$/.test(entry.name))
    .map(({ name }) => name)
}

/** The content security policy allows data. It cannot contain the end of the element. */
function elementOf(opening: OpeningData): string {
  const json = JSON.stringify(opening).replaceAll('<', '\\u003c')
  return `<script type="application/json" id="${openingElementId}">${json}</script>`
}
