import { randomUUID } from 'node:crypto'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { testMail, testMailAnswer } from '#domain/reports/test-mail.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { readAssociation } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import { ConflictError } from '../domain-error.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { ProblemError } from '../http/problem.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { checkDomain, type ResolveTxt } from '../mail/check-domain.ts'
import { toMail } from '../mail/mail-html.ts'
import { type Mail, openMailSender } from '../mail/mail-sender.ts'
import type { Configuration } from '../settings/configuration.ts'
import { domainOf, type MailServer } from '../settings/mail-settings.ts'

type Dependencies = {
  database: Database
  configuration: Pick<Configuration, 'mailServer' | 'publicUrl' | 'dkimSelector'>
  resolveTxt: ResolveTxt
}

export const testMailRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, configuration: { mailServer, publicUrl, dkimSelector }, resolveTxt },
  done,
) => {
  const count = app.createRateLimit({
    max: 5,
    timeWindow: '1 hour',
    keyGenerator: ({ params }) => `test emails of ${(params as { mapId: string }).mapId}`,
  })

  app.post('/api/maps/:mapId/report-settings/test-email', {
    config: { access: 'manager' },
    bodyLimit: 16 * 1024,
    schema: {
      summary: 'Send a test email, and look up SPF, DKIM and DMARC of the sender',
      description: 'At most five an hour. An accepted email may still be rejected later, or sorted as spam.',
      tags: ['reports'],
      params: z.object({ mapId }),
      body: testMail,
      response: { 200: testMailAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      refuseSample(mapId, 'choose the map of an association to send a test email.')
      if (mailServer === null) throw new ConflictError('This server is not set up to send email.')
      const limit = await count(request)
      if (!limit.isAllowed && limit.isExceeded) {
        reply.header('retry-after', limit.ttlInSeconds)
        const minutes = counted(Math.ceil(limit.ttlInSeconds / 60), 'minute')
        throw new ProblemError(429, `A map can send 5 test emails an hour. Try again in ${minutes}.`)
      }
      const association = await readAssociation(database.read, mapId)
      const heading = `Test email of ${association.name}`
      const text =
        'Email works. If this message is in your spam folder, check SPF, DKIM and DMARC of the sender.'
      const base = { to: request.body.email, association, publicUrl }
      const message = `test.${mapId}.${randomUUID()}`
      const mail = toMail(base, { subject: heading, heading, parts: [{ text }] }, { message })
      const domain = domainOf(mailServer)
      const [problem, records] = await Promise.all([
        send(mailServer, mail),
        checkDomain(resolveTxt, domain, dkimSelector),
      ])
      forOnePerson(reply)
      return { problem, domain, ...records }
    },
  })

  done()
}

async function send(mailServer: MailServer, mail: Mail): Promise<string | null> {
  const sender = openMailSender(mailServer)
  try {
    return await sender.send(mail)
  } catch (error) {
    const { code, response } = error as { code?: string; response?: string }
    if (code === 'EAUTH') return 'It refused the user name or password.'
    return response ?? 'It could not be reached.'
  } finally {
    sender.close()
  }
}
