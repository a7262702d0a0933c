import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Configuration } from '../settings/configuration.ts'
import { hostNameOf, isLoopbackHost } from '../settings/host-names.ts'
import { html } from './html.ts'
import { isForPerson, sendPage } from './plain-page.ts'
import { sendProblem } from './problem.ts'

/** No more unknown names than this are logged, so that nobody can fill the log. */
const maxLoggedNames = 10

/** A name may come with any port. */
const maxKnown = 100

/**
 * Answers only to the names that the operator gave, and to those of this machine. A page of another site can have its
 * own name lead to our address, and the browser would let it read what we answer under that name.
 */
export function registerHosts(app: FastifyInstance, { publicUrl, allowedHosts }: Configuration) {
  const names = new Set([new URL(publicUrl).hostname, ...allowedHosts])
  const isAllowed = (name: string | null) => name !== null && (names.has(name) || isLoopbackHost(name))
  const logged = new Set<string>()
  /** Host names of earlier requests that are ours: most requests have the same. */
  const known = new Set<string>()

  app.addHook('onRequest', async (request, reply) => {
    // RFC 9112, section 3.2: a proxy may have taken the one, and we would take the other.
    if (request.raw.rawHeaders.filter(isHost).length > 1)
      return sendProblem(reply, 400, { detail: 'The request has more than one Host header.' })
    const asked = askedNames(request)
    const together = asked.join('\n')
    if (known.has(together)) return
    const stranger = asked.map(hostNameOf).find((name) => !isAllowed(name))
    if (stranger === undefined) {
      if (known.size < maxKnown) known.add(together)
      return
    }
    const { url } = request.routeOptions
    // Whoever watches over the server knows it by any address.
    if (url?.startsWith('/health/')) return
    const name = stranger ?? 'no name at all'
    if (!logged.has(name) && logged.size < maxLoggedNames) {
      logged.add(name)
      request.log.warn({ host: name }, 'asked by a name that is not ours (PUBLIC_URL, ALLOWED_HOSTS)')
    }
    if (!isForPerson(request))
      return sendProblem(reply, 421, {
        detail: `This server is not known by the name that was asked for (${name}): use ${publicUrl}.`,
      })
    return sendPage(reply, 421, {
      title: 'Not the address of this server',
      content: html`<h1>Not the address of this server</h1>
<p>It was asked by a name that it does not know: <code>${name}</code>. Its address is <code>${publicUrl}</code>.</p>
<p class="dimmed">Whoever runs it sets <code>PUBLIC_URL</code> to the address that people type, and
<code>ALLOWED_HOSTS</code> to further names.</p>
<p class="ways"><a class="button primary" href="${publicUrl}/">Go there</a></p>`,
    })
  })
}

/** Names of headers and their values take turns: a value can be `host` as well. */
const isHost = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host'

/** Every name by which a request asks for us: a proxy may add one, and HTTP has two places of its own. */
function askedNames({ headers, host, url }: FastifyRequest): (string | undefined)[] {
  const names = [headers.host, host]
  if (!url.startsWith('/')) names.push(URL.parse(url)?.host ?? headers.host)
  return names
}
