import type { FastifyReply } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  maxListedReports,
  type Report,
  report,
  reportDecision,
  reportList,
  similarIncidents,
  staffReportChange,
} from '#domain/reports/report.schema.ts'
import { reportStates } from '#domain/reports/report-states.ts'
import { changeId, mapId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import type { BlockedSendersTable, ReportsTable } from '../database/tables.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { toFile } from '../files/files.queries.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { numberText } from '../http/page-parameters.ts'
import { countReporters } from '../merges/merges.queries.ts'
import type { Configuration } from '../settings/configuration.ts'
import { isOfReport, listCommentsOf, toNote } from '../work/notes.queries.ts'
import { listBlocks } from './blocked-senders.queries.ts'
import { incidentOf, readFilesOfReport } from './report-content.ts'
import { changeReport, decideReport, isAwaitingConfirmation, nameParcelAt } from './reports.commands.ts'
import { listReports, readSimilarIncidents } from './reports.queries.ts'

export const reportsPath = '/api/maps/:mapId/reports'
export const reportTags = ['reports']
export const mapParams = z.object({ mapId })
export const reportParams = z.object({ mapId, id: changeId })
const [path, tags] = [reportsPath, reportTags]
const editing = { access: 'editor' } as const
const changed = { tags, params: reportParams, headers: ifMatchHeader, response: { 200: report } }

type Dependencies = { database: Database; configuration: Pick<Configuration, 'mailServer'> }

export const reportRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, configuration: { mailServer } },
  done,
) => {
  async function listForStaff(rows: readonly ReportsTable[]): Promise<Report[]> {
    const [first] = rows
    if (!first) return []
    const about = { mapId: first.map_id, incidentIds: [...new Set(rows.map(incidentOf))] }
    const reporters = await countReporters(database.read, about)
    const blocks = await listBlocks(database.read, about.mapId, Date.now())
    const incidents = await readRowsOf(database.read, about.mapId, about.incidentIds)
    const reportIds = rows.map(({ id }) => id)
    const comments = await listCommentsOf(database.read, { mapId: about.mapId, reportIds })
    return Promise.all(
      rows.map(async (row) => ({
        ...(await forStaff(row)),
        comments: comments.filter((note) => isOfReport(note, row.id)).map((note) => toNote(note, true)),
        reporters: reporters.get(incidentOf(row)) ?? 1,
        ...senderOf(row, blocks),
        duplicateTitle: (row.duplicate_of && incidents.get(row.duplicate_of)?.name) ?? null,
      })),
    )
  }

  async function sendChanged(reply: FastifyReply, row: ReportsTable): Promise<Report> {
    reply.header('etag', etagOf(row.version))
    const [report] = await listForStaff([row])
    if (!report) throw new Error('no report')
    return report
  }

  async function forStaff(row: ReportsTable) {
    return {
      ...commonOf(row),
      photos: (await readFilesOfReport(database.read, row)).map((file) => toFile(file, true)),
      severity: row.severity,
      accuracyMeters: row.accuracy_meters,
      assetId: row.asset_id,
      madeAt: new Date(row.made_at).toISOString(),
      decidedBy: row.decided_by,
      originalDescription: row.original_description,
      mailProblem: row.mail_problem,
      version: row.version,
    }
  }

  app.get(`${path}/similar`, {
    config: { access: 'public' },
    schema: {
      summary: 'Name a place for a new report, and list incidents that may be the same problem',
      description:
        'At most three, nearest first: open incidents whose severity circle covers the location, and those resolved within ' +
        '14 days.',
      tags,
      params: mapParams,
      querystring: z.strictObject({
        lat: numberText(z.number().min(-90).max(90)),
        lng: numberText(z.number().min(-180).max(180)),
      }),
      response: { 200: similarIncidents },
    },
    async handler(request) {
      const { mapId } = request.params
      const where = { mapId, place: request.query, now: Date.now() }
      return {
        where: await nameParcelAt(database, mapId, request.query),
        items: await readSimilarIncidents(database, where, 3),
      }
    },
  })

  app.get(path, {
    config: editing,
    schema: {
      summary: 'List reports of residents',
      description: `The oldest ${maxListedReports} in a state; \`total\` counts all.`,
      tags,
      params: mapParams,
      querystring: z.strictObject({ state: z.enum(reportStates).default('new') }),
      response: { 200: reportList },
    },
    async handler(request, reply) {
      forOnePerson(reply)
      const query = { mapId: request.params.mapId, state: request.query.state }
      const { rows, total } = await listReports(database.read, query, maxListedReports)
      return { items: await listForStaff(rows), total, sendsMail: mailServer !== null }
    },
  })

  app.patch(`${path}/:id`, {
    config: editing,
    bodyLimit: 8 * 1024,
    schema: {
      summary: 'Change a report that is not on the map',
      ...changed,
      body: staffReportChange,
    },
    async handler(request, reply) {
      const { person, body } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const row = await changeReport(database, { ...request.params, person, isExpected }, body)
      return sendChanged(reply, row)
    },
  })

  app.put(`${path}/:id/decision`, {
    config: editing,
    bodyLimit: 8 * 1024,
    schema: {
      summary: 'Decide about a report',
      description:
        'Accepting it adds an incident with the same id to the map; any other state removes that incident. `new` takes the ' +
        'decision back.',
      ...changed,
      body: reportDecision,
    },
    async handler(request, reply) {
      const { person, body } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const row = await decideReport(database, { ...request.params, person, isExpected }, body)
      return sendChanged(reply, row)
    },
  })
  done()
}

function senderOf({ sender }: ReportsTable, blocks: readonly BlockedSendersTable[]) {
  const block = blocks.find((one) => one.sender === sender)
  return {
    isSenderKnown: sender !== null,
    senderBlockedUntil: block ? new Date(block.until).toISOString() : null,
  }
}

export function commonOf(row: ReportsTable) {
  return {
    id: row.id,
    number: row.number,
    state: row.state,
    title: row.title,
    type: row.type,
    place: { lat: row.lat, lng: row.lng },
    description: row.description,
    email: row.email,
    createdAt: new Date(row.created_at).toISOString(),
    publicNote: row.public_note,
    duplicateOf: row.duplicate_of,
    awaitsConfirmation: isAwaitingConfirmation(row),
  }
}
