import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { reportForm, reportSettings, reportSettingsAnswer } from '#domain/reports/report-settings.schema.ts'
import { toReportForm } from '#domain/reports/report-settings.ts'
import type { Database } from '../database/database.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import type { Configuration } from '../settings/configuration.ts'
import { changeReportSettings } from './change-report-settings.commands.ts'
import { readReportSettings } from './report-settings.queries.ts'
import { mapParams as params, reportTags as tags } from './reports.routes.ts'

const path = '/api/maps/:mapId/report-settings'

type Dependencies = { database: Database; configuration: Pick<Configuration, 'mailServer'> }

export const reportSettingsRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, configuration: { mailServer } },
  done,
) => {
  const sendsMail = mailServer !== null

  app.get('/api/maps/:mapId/report-form', {
    config: { access: 'public' },
    schema: {
      summary: 'Get the types and notices of the form for reports',
      tags,
      params,
      response: { 200: reportForm },
    },
    async handler(request) {
      const { settings } = await readReportSettings(database.read, request.params.mapId)
      return toReportForm(settings, sendsMail)
    },
  })

  app.get(path, {
    config: { access: 'staff' },
    schema: {
      summary: 'Get the settings for reports',
      tags,
      params,
      response: { 200: reportSettingsAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const current = await readReportSettings(database.read, mapId)
      forOnePerson(reply)
      reply.header('etag', etagOf(current.version))
      return { mapId, ...current, sendsMail }
    },
  })

  app.put(path, {
    config: { access: 'manager' },
    bodyLimit: 128 * 1024,
    schema: {
      summary: 'Change the settings for reports',
      description:
        'Send all settings. Without a mail server, reports that wait for a confirmed address wait for review. ' +
        'Unchanged settings create no new version.',
      tags,
      params,
      headers: ifMatchHeader,
      body: reportSettings,
      response: { 200: reportSettingsAnswer },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { person } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const changed = await changeReportSettings(database, { mapId, person, isExpected }, request.body)
      reply.header('etag', etagOf(changed.version))
      return { mapId, ...changed, sendsMail }
    },
  })
  done()
}
