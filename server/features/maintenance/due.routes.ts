import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { calendarState, dueMaintenance } from '#domain/maintenance/maintenance.schema.ts'
import { mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../../database/database.ts'
import { forOnePerson } from '../../http/for-one-person.ts'
import { numberText } from '../../http/page-parameters.ts'
import { notFound } from '../../http/problem.ts'
import { refuseSample } from '../../http/refuse-sample.ts'
import { readToday } from '../../maps/time-zone.queries.ts'
import type { Configuration } from '../../settings/configuration.ts'
import { makeCalendar, switchCalendarOff } from './calendars.commands.ts'
import { findCalendar, readCalendar } from './calendars.queries.ts'
import { readCalendarAssets, readDueMaintenance } from './due.queries.ts'
import { calendarType, writeCalendar } from './write-calendar.ts'

const tags = ['maintenance']
const mapParams = z.object({ mapId })
const calendarPath = '/api/maps/:mapId/maintenance-calendar'
const maxEvents = 5_000

type Dependencies = { database: Database; configuration: Pick<Configuration, 'publicUrl'> }

export const dueRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, configuration: { publicUrl } },
  done,
) => {
  app.get('/api/maps/:mapId/due-maintenance', {
    config: { access: 'staff' },
    schema: {
      summary: 'List assets with maintenance due or overdue, most urgent first',
      description:
        'Due within 30 days, including today. Today is the day in the time zone of the map. Counts are for all pages.',
      tags,
      params: mapParams,
      querystring: z.strictObject({ limit: numberText(z.int().min(1).max(100)).default(10) }),
      response: { 200: dueMaintenance },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { limit } = request.query
      forOnePerson(reply)
      return readDueMaintenance(database.read, mapId, { today: await readToday(database, mapId), limit })
    },
  })

  app.get(calendarPath, {
    config: { access: 'manager' },
    schema: {
      summary: 'Get the status of the maintenance calendar',
      tags,
      params: mapParams,
      response: { 200: calendarState },
    },
    async handler(request, reply) {
      const calendar = await readCalendar(database.read, request.params.mapId)
      forOnePerson(reply)
      if (!calendar) return { sharedAt: null, sharedBy: null }
      return { sharedAt: new Date(calendar.created_at).toISOString(), sharedBy: calendar.created_by }
    },
  })

  app.post(calendarPath, {
    config: { access: 'manager' },
    bodyLimit: 1024,
    schema: {
      summary: 'Create a secret address for the maintenance calendar',
      description:
        'The address is shown only once, and the previous one stops working. Anyone with it can read names of assets and ' +
        'due tasks without signing in.',
      tags,
      params: mapParams,
      body: z.strictObject({}),
      response: { 201: z.object({ address: z.string() }) },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      refuseSample(mapId)
      const secret = await makeCalendar(database, { mapId, person })
      reply.status(201).header('cache-control', 'no-store')
      return { address: `${publicUrl}/api/calendars/${secret}.ics` }
    },
  })

  app.delete(calendarPath, {
    config: { access: 'manager' },
    schema: {
      summary: 'Turn off the maintenance calendar',
      tags,
      params: mapParams,
      response: { 204: z.null() },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      await switchCalendarOff(database, { mapId, person })
      reply.status(204)
      return null
    },
  })

  app.get('/api/calendars/:name', {
    config: { access: 'public', mediaTypes: [calendarType] },
    schema: {
      summary: 'Get due maintenance as an iCalendar feed',
      tags,
      params: z.object({ name: z.string().max(100) }),
    },
    async handler(request, reply) {
      const [, secret] = /^([\w-]{43})\.ics$/.exec(request.params.name) ?? []
      const found = secret === undefined ? undefined : await findCalendar(database.read, secret)
      reply.header('cache-control', 'private, no-cache').header('x-robots-tag', 'noindex')
      if (!found) throw notFound('Calendar not found.')
      const { map_id: mapId, name } = found
      const assets = await readCalendarAssets(database.read, mapId, maxEvents)
      reply.header('content-type', `${calendarType}; charset=utf-8`)
      return reply.send(writeCalendar({ mapId, name: name ?? mapId, publicUrl }, assets))
    },
  })
  done()
}
