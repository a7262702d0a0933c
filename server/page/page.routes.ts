import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { answerNotFound } from '../http/problem.ts'

/** Replaced in the page by the nonce of its content security policy. */
const noncePlaceholder = '__NONCE__'

const yearSeconds = 31_536_000

/**
 * The built page: files below /assets are named after their content and kept for good; every other GET that no
 * route knows is the page itself, which reads the address.
 */
export async function registerPage(app: FastifyInstance, pageDirectory: string) {
  const html = readFileSync(join(pageDirectory, 'index.html'), 'utf8')

  await app.register(fastifyStatic, {
    root: pageDirectory,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/index.html', '**/*.gz', '**/*.br'],
    setHeaders(reply, path) {
      const isNamedByContent = path.includes('/assets/')
      reply.header(
        'cache-control',
        isNamedByContent ? `public, max-age=${yearSeconds}, immutable` : 'no-cache',
      )
    },
  })

  // Counted with everything else that an address asks for, as the files are; a page is some thirty of them, once.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request, reply) => {
    const isPage =
      ['GET', 'HEAD'].includes(request.method) && !/^\/(api|health|assets)(\/|$|\?)/.test(request.url)
    return isPage ? sendPage(reply, html) : answerNotFound(request, reply)
  })
}

function sendPage(reply: FastifyReply, html: string) {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send(html.replaceAll(noncePlaceholder, reply.cspNonce.style))
}
