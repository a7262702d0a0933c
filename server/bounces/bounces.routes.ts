import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Database } from '../database/database.ts'
import { isEqualText } from '../http/is-equal-text.ts'
import { ProblemError } from '../http/problem.ts'
import type { Configuration } from '../settings/configuration.ts'
import { bounceOutcomes, recordBounce } from './bounces.commands.ts'
import { BounceError, maxBounceBytes, readBounce } from './read-bounce.ts'

const message = z
  .string('must be message/rfc822 or text/plain')
  .meta({ description: 'The message as it arrived, with its headers' })

type Dependencies = { database: Database; configuration: Pick<Configuration, 'bouncesSecret'> }

export const bounceRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, configuration: { bouncesSecret } },
  done,
) => {
  app.addContentTypeParser(['message/rfc822', 'text/plain'], { parseAs: 'string' }, (_request, body, ready) =>
    ready(null, body),
  )

  app.post('/api/mail/bounces', {
    // Sent by a mail server, with its secret.
    config: { access: 'public', isFromAnywhere: true },
    bodyLimit: maxBounceBytes,
    schema: {
      summary: 'Report an email that could not be delivered',
      description:
        'For mail servers: a delivery status notification (RFC 3464) to the return path of an email. Requires the settings ' +
        '`MAIL_BOUNCES` and `MAIL_BOUNCES_SECRET`.',
      tags: ['subscriptions'],
      consumes: ['message/rfc822', 'text/plain'],
      headers: z.looseObject({
        'mail-secret': z.string().meta({ description: 'MAIL_BOUNCES_SECRET' }),
      }),
      body: message,
      response: { 200: z.object({ outcome: z.enum(bounceOutcomes) }) },
    },
    async handler({ body, headers: { 'mail-secret': secret } }) {
      if (bouncesSecret === null)
        throw new ProblemError(401, 'This server accepts no bounces: MAIL_BOUNCES_SECRET is not set.')
      if (!isEqualText(secret, bouncesSecret))
        throw new ProblemError(401, 'The header mail-secret must be the secret in MAIL_BOUNCES_SECRET.')
      try {
        return { outcome: await recordBounce(database, readBounce(body)) }
      } catch (error) {
        if (!(error instanceof BounceError)) throw error
        throw new ProblemError(400, error.message, [{ in: 'body', name: '', message: error.message }])
      }
    },
  })

  done()
}
