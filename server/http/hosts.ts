import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Configuration } from '../settings/configuration.ts'
import { hostNameOf, isLoopbackHost } from '../settings/host-names.ts'
import { html } from './html.ts'
import { isForPerson, sendPage } from './plain-page.ts'
import { sendProblem } from './problem.ts'

const maxLoggedNames = 10

const maxAccepted = 100

/**
 * Rejects host names other than the operator's and this machine's: a page of another site can point its own
 * name at our address, and the browser would let it read our answers (DNS rebinding).
 */
export function registerHosts(app: FastifyInstance, { publicUrl, allowedHosts }: Configuration) {
  const names = new Set([new URL(publicUrl).hostname, ...allowedHosts])
  const isAllowed = (name: string | null) => name !== null && (names.has(name) || isLoopbackHost(name))
  const logged = new Set<string>()
  const accepted = new Set<string>()

  app.addHook('onRequest', async (request, reply) => {
    // RFC 9112, section 3.2: a proxy may have used the other one.
    if (request.raw.rawHeaders.filter(isHost).length > 1)
      return sendProblem(reply, 400, { detail: 'The request has more than one Host header.' })
    const names = hostNames(request)
    const together = names.join('\n')
    if (accepted.has(together)) return
    const stranger = names.map(hostNameOf).find((name) => !isAllowed(name))
    if (stranger === undefined) {
      if (accepted.size < maxAccepted) accepted.add(together)
      return
    }
    const { url } = request.routeOptions
    if (url?.startsWith('/health/')) return
    const name = stranger ?? '(none)'
    if (!logged.has(name) && logged.size < maxLoggedNames) {
      logged.add(name)
      request.log.warn({ host: name }, 'a request for an unknown host name (PUBLIC_URL, ALLOWED_HOSTS)')
    }
    if (!isForPerson(request))
      return sendProblem(reply, 421, {
        detail: `This server does not accept requests for the host name ${name}. Use ${publicUrl}.`,
      })
    return sendPage(reply, 421, {
      title: 'Wrong address',
      content: html`<h1>Wrong address</h1>
<p>This server does not accept requests for <code>${name}</code>. Its address is <code>${publicUrl}</code>.</p>
<p class="dimmed">If you run this server, set <code>PUBLIC_URL</code> to its public address, and <code>ALLOWED_HOSTS</code> to
additional names.</p>
<p class="ways"><a class="button primary" href="${publicUrl}/">Go to the website</a></p>`,
    })
  })
}

const isHost = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === 'host'

/** A proxy may add a host name, and HTTP has two places for it. */
function hostNames({ headers, host, url }: FastifyRequest): (string | undefined)[] {
  const names = [headers.host, host]
  if (!url.startsWith('/')) names.push(URL.parse(url)?.host ?? headers.host)
  return names
}
