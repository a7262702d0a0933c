import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { peoplePage } from '#domain/access/people.schema.ts'
import type { Database } from '../database/database.ts'
import { readTimePosition, writeTimePosition } from '../http/cursor.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { pageCursor, pageLimit, searchText } from '../http/page-parameters.ts'
import type { Identity } from '../settings/identity-settings.ts'
import { listPeople } from './people.queries.ts'

type Dependencies = { database: Database; identity: Identity }

export const peopleRoutes: FastifyPluginCallbackZod<Dependencies> = (app, { database, identity }, done) => {
  app.get('/api/people', {
    config: { access: 'administrator' },
    schema: {
      summary: 'List users and their roles, last sign-in first',
      description:
        'Users who signed in within 400 days, with the roles of their last sign-in. The identity provider assigns roles.',
      tags: ['identity'],
      querystring: z.strictObject({ text: searchText, limit: pageLimit, after: pageCursor }),
      response: { 200: peoplePage },
    },
    async handler(request, reply) {
      const { text, limit, after } = request.query
      const { last, ...list } = await listPeople(database, { text, limit, after: readTimePosition(after) })
      forOnePerson(reply)
      return {
        ...list,
        next: last ? writeTimePosition(last) : null,
        rolesClaim: identity.kind === 'oidc' ? identity.rolesClaim : null,
      }
    },
  })
  done()
}
