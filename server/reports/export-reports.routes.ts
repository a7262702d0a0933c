import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { reportNumber, reportStateLabels } from '#domain/reports/report-states.ts'
import { mapId } from '#domain/values/common.schema.ts'
import { localTime } from '#domain/values/time-zones.ts'
import type { Database } from '../database/database.ts'
import type { ReportsTable } from '../database/tables.ts'
import type { Exporter, ExportItem } from '../exports/export-columns.ts'
import { exportName } from '../exports/export-query.ts'
import { exportMediaTypes, sendExport } from '../exports/send-export.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import { listReportsAfter } from './reports.queries.ts'

type ReportItem = ExportItem & { report: ReportsTable }

const text = (name: string) => ({ name, type: 'text' as const })

const exporterIn = (timeZone: string): Exporter<ReportItem> => ({
  title: 'Reports',
  columns: [
    ...['Number', 'State', 'Type', 'Title', 'Description'].map(text),
    { name: 'Latitude', type: 'number' },
    { name: 'Longitude', type: 'number' },
    text('Email'),
    { name: 'Received', type: 'local' },
    { name: 'Decided', type: 'local' },
    ...['Decided by', 'Public note'].map(text),
  ],
  valuesOf({ report }) {
    const { number, state, type, title, description, lat, lng, email, public_note: note } = report
    const { created_at: received, decided_at: decided, decided_by: by } = report
    const words = [reportNumber(number), reportStateLabels[state], incidentTypeLabels[type], title]
    const times = [received, decided].map((at) => at && localTime(at, timeZone))
    return [...words, description || null, lat, lng, email, ...times, by, note || null]
  },
})

const reportsAtOnce = 500

export const exportReportsRoutes: FastifyPluginCallbackZod<{ database: Database; dataDirectory: string }> = (
  app,
  { database, dataDirectory },
  done,
) => {
  app.get('/api/maps/:mapId/reports/export', {
    exposeHeadRoute: false,
    config: { access: 'editor', mediaTypes: exportMediaTypes },
    schema: {
      summary: 'Export reports of residents',
      description: 'All reports by number, in words and local times, with the email addresses of reporters.',
      tags: ['reports'],
      params: z.object({ mapId }),
      querystring: z.strictObject({ format: z.enum(['csv', 'xlsx']) }),
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { format } = request.query
      const timeZone = await readTimeZone(database, mapId)
      const form = 'reading'
      const name = exportName({ mapId, timeZone }, 'reports', form)
      const client = { mapId, signal: request.signal, isStaff: true }
      const file = { dataDirectory, format, form, exporter: exporterIn(timeZone), name, client } as const
      return sendExport({ request, reply }, file, readAll(database, mapId))
    },
  })
  done()
}

async function* readAll(database: Database, mapId: string): AsyncGenerator<ReportItem[]> {
  for (let after = 0, isMore = true; isMore; ) {
    const rows = await listReportsAfter(database.read, { mapId, after }, reportsAtOnce)
    yield rows.map((report) => {
      const { id, title: name, description, lng, lat } = report
      const geometry = JSON.stringify({ type: 'Point', coordinates: [lng, lat] })
      return { report, id, name, description, shape: 'point', geometry }
    })
    after = rows.at(-1)?.number ?? after
    isMore = rows.length === reportsAtOnce
  }
}
