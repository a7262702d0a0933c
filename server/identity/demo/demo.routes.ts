import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { AuditLog } from '../../http/audit.ts'
import { sendPage } from '../../http/plain-page.ts'
import { refusals, SignInRefusal } from '../refusals.ts'
import { defaultReturnPath } from '../return-path.ts'
import { refusalPage } from '../sign-in-pages.ts'
import { requireThisMachine } from '../this-machine.ts'
import { demoRefusalPage, demoSignInPage } from './demo-pages.ts'
import { demoPassword, findDemoPerson } from './demo-people.ts'
import { createDemoProvider, type DemoClient, demoPath, noncesOfRequest } from './demo-provider.ts'

const options = { config: { access: 'public' }, schema: { hide: true } } as const

type Dependencies = { publicUrl: string; client: DemoClient; audit: AuditLog }

export const demoRoutes: FastifyPluginCallback<Dependencies> = (app, { publicUrl, client, audit }, done) => {
  let started: Promise<Provider> | undefined
  const provider = () => {
    started ??= createDemoProvider(publicUrl, client).then((demo) => {
      demo.on('server_error', (_context, error) => app.log.error({ err: error }, 'the demo provider failed'))
      return demo
    })
    return started
  }
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    if (!(error instanceof SignInRefusal)) throw error
    const { reason } = error
    audit.info({ reason }, 'sign-in was refused')
    return sendPage(
      reply,
      refusals[reason].status,
      refusalPage(reason, { returnTo: defaultReturnPath, isPopup: false }),
    )
  })
  app.addHook('onRequest', requireThisMachine)
  app.removeAllContentTypeParsers()
  // The provider reads bodies itself, except those of our forms.
  app.addContentTypeParser('*', (_request, _payload, next) => next(null))

  app.get('/demo-identity/choose/:uid', options, async (request, reply) => {
    const details = await findInteraction(await provider(), request, reply)
    return details ? sendPage(reply, 200, demoSignInPage(null)) : sendPage(reply, 400, demoRefusalPage())
  })

  void app.register((forms, _options, ready) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 10_000 },
      (_request, body, next) => next(null, parse(body as string)),
    )
    forms.post('/demo-identity/choose/:uid', options, async (request, reply) => {
      const demo = await provider()
      if (!(await findInteraction(demo, request, reply))) return sendPage(reply, 400, demoRefusalPage())
      const { person: chosen, name, password, cancel } = (request.body ?? {}) as Record<string, unknown>
      if (cancel !== undefined) return finish({ error: 'access_denied' })
      const person = findDemoPerson(chosen) ?? (password === demoPassword ? findDemoPerson(name) : undefined)
      if (person === undefined) {
        const typed = typeof name === 'string' ? name.slice(0, 100) : ''
        return sendPage(reply, 403, demoSignInPage({ name: typed }))
      }
      return finish({ login: { accountId: person.id } })

      async function finish(result: Parameters<Provider['interactionResult']>[2]) {
        return reply.redirect(await demo.interactionResult(request.raw, reply.raw, result), 303)
      }
    })
    ready()
  })

  app.all('/demo-identity/*', options, async (request, reply) => {
    const answer = (await provider()).callback()
    reply.hijack()
    const raw = toProvider(request.raw, publicUrl)
    noncesOfRequest.set(raw, reply.cspNonce)
    await answer(raw, reply.raw as ServerResponse)
  })
  done()
}

function toProvider(raw: IncomingMessage & { originalUrl?: string }, publicUrl: string) {
  const { host, protocol } = new URL(publicUrl)
  Object.assign(raw.headers, { host, 'x-forwarded-host': host, 'x-forwarded-proto': protocol.slice(0, -1) })
  raw.originalUrl = raw.url
  raw.url = raw.url?.slice(demoPath.length)
  return raw
}

async function findInteraction(provider: Provider, request: FastifyRequest, reply: FastifyReply) {
  try {
    return await provider.interactionDetails(request.raw, reply.raw)
  } catch {
    return undefined
  }
}
