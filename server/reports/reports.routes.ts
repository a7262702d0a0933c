import { timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fileId, maxFileBytes, maxPieceBytes, newUpload, uploadState } from '#domain/files/file.schema.ts'
import {
  maxListedReports,
  newReport,
  type Report,
  type ReportForReporter,
  report,
  reportChange,
  reportDecision,
  reportForReporter,
  reportKey,
  reportList,
  similarIncidents,
  staffReportChange,
} from '#domain/reports/report.schema.ts'
import { maxPhotosOfReport, reportStates } from '#domain/reports/report-states.ts'
import { changeId, mapId } from '#domain/values/common.schema.ts'
import { counted } from '#domain/values/wording.ts'
import type { Database } from '../database/database.ts'
import type { ReportsTable } from '../database/tables.ts'
import { ConflictError, NotFoundError } from '../domain-error.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { readFilesOf, toFile } from '../files/files.queries.ts'
import type { UploadReceiver } from '../files/receive-upload.ts'
import { countUploadsOf } from '../files/uploads.queries.ts'
import { mayRequest } from '../http/access.ts'
import { addressGroup } from '../http/address-group.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { etagOf, ifMatchHeader, readIfMatch } from '../http/if-match.ts'
import { acceptBytes, bytes } from '../http/octet-stream.ts'
import { ProblemError } from '../http/problem.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import type { Configuration } from '../settings/configuration.ts'
import {
  addReport,
  changeOwnReport,
  changeReport,
  decideReport,
  hashOfKey,
  nameParcelAt,
  reporterOf,
} from './reports.commands.ts'
import { listReports, readReport, readSimilarIncidents } from './reports.queries.ts'

const path = '/api/maps/:mapId/reports'
const tags = ['reports']
const mapParams = z.object({ mapId })
const reportParams = z.object({ mapId, id: changeId })
const editing = { access: 'editor' } as const
/** Visitors report without an account. The key of the private link stands for them. */
const reporting = { access: 'public' } as const

const keyHeader = z.looseObject({
  'report-key': reportKey.meta({ description: 'The key of the private link' }),
})

type Dependencies = {
  database: Database
  uploads: UploadReceiver
  configuration: Pick<Configuration, 'reportsPerHour'>
}

export const reportRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, uploads, configuration: { reportsPerHour } },
  done,
) => {
  acceptBytes(app)
  const countReport = app.createRateLimit({
    max: reportsPerHour,
    timeWindow: '1 hour',
    keyGenerator: ({ ip }: FastifyRequest) => `reports ${addressGroup(ip)}`,
  })

  /** Throws a 429 beyond the limit of the address. Repeated requests and staff are not counted. */
  async function limitReports(
    request: FastifyRequest,
    reply: FastifyReply,
    key: { mapId: string; id: string },
  ) {
    if (await readReport(database.read, key)) return
    if (await mayRequest(request, 'staff', key.mapId)) return
    const limit = await countReport(request)
    if (limit.isAllowed || !limit.isExceeded) return
    reply.header('retry-after', limit.ttlInSeconds)
    throw new ProblemError(
      429,
      `This address has sent ${counted(reportsPerHour, 'report')} within an hour, which is the limit. Try again in ` +
        `${counted(Math.ceil(limit.ttlInSeconds / 60), 'minute')}.`,
    )
  }

  async function requireKey(
    { mapId, id }: { mapId: string; id: string },
    { 'report-key': key }: { 'report-key': string },
  ): Promise<ReportsTable> {
    const row = await readReport(database.read, { mapId, id })
    const isRight =
      row && timingSafeEqual(Buffer.from(row.key_hash, 'hex'), Buffer.from(hashOfKey(key), 'hex'))
    // The same response as for a missing report: ids of incidents are public.
    if (!row || !isRight) throw new NotFoundError('There is no report at this link.')
    return row
  }

  async function filesOf({ map_id, id }: ReportsTable) {
    const files = await readFilesOf(database.read, map_id, id)
    return files.filter(({ removed_at }) => removed_at === null)
  }

  async function forReporter(row: ReportsTable): Promise<ReportForReporter> {
    const incidentId = row.duplicate_of ?? row.id
    const incident = (await readRowsOf(database.read, row.map_id, [incidentId])).get(incidentId)
    const own = (await filesOf(row)).filter(({ added_by_id }) => added_by_id === reporterOf(row.id).id)
    return {
      ...commonOf(row),
      photos: own.map((file) => toFile(file, false)),
      incident: incident
        ? { id: incident.id, title: incident.name, resolved: incident.status === 'resolved' }
        : null,
    }
  }

  async function forStaff(row: ReportsTable): Promise<Report> {
    return {
      ...commonOf(row),
      photos: (await filesOf(row)).map((file) => toFile(file, true)),
      severity: row.severity,
      accuracyMeters: row.accuracy_meters,
      assetId: row.asset_id,
      madeAt: new Date(row.made_at).toISOString(),
      decidedBy: row.decided_by,
      version: row.version,
    }
  }

  app.post(path, {
    config: reporting,
    bodyLimit: 8 * 1024,
    schema: {
      summary: 'Report a problem',
      description:
        'Anyone may report. The report is not public until staff accept it. Keep the key: it opens the private link.',
      tags,
      params: mapParams,
      body: newReport,
      response: { 201: reportForReporter },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      await limitReports(request, reply, { mapId, id: request.body.id })
      refuseSample(mapId, 'choose the map of an association to report a problem.')
      forOnePerson(reply.status(201))
      return forReporter(await addReport(database, mapId, request.body))
    },
  })

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
        lat: z.coerce.number().min(-90).max(90),
        lng: z.coerce.number().min(-180).max(180),
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

  app.get(`${path}/:id/own`, {
    config: reporting,
    schema: {
      summary: 'Get your own report',
      tags,
      params: reportParams,
      headers: keyHeader,
      response: { 200: reportForReporter },
    },
    async handler(request, reply) {
      forOnePerson(reply)
      return forReporter(await requireKey(request.params, request.headers))
    },
  })

  app.patch(`${path}/:id/own`, {
    config: reporting,
    bodyLimit: 8 * 1024,
    schema: {
      summary: 'Change your own report, within an hour and before it is reviewed',
      tags,
      params: reportParams,
      headers: keyHeader,
      body: reportChange,
      response: { 200: reportForReporter },
    },
    async handler(request, reply) {
      await requireKey(request.params, request.headers)
      forOnePerson(reply)
      return forReporter(await changeOwnReport(database, request.params, request.body))
    },
  })

  app.post(`${path}/:id/own/withdraw`, {
    config: reporting,
    bodyLimit: 1024,
    schema: {
      summary: 'Withdraw your own report, within an hour and before it is reviewed',
      tags,
      params: reportParams,
      headers: keyHeader,
      response: { 200: reportForReporter },
    },
    async handler(request, reply) {
      await requireKey(request.params, request.headers)
      forOnePerson(reply)
      return forReporter(await changeOwnReport(database, request.params, 'withdraw'))
    },
  })

  app.post(`${path}/:id/photos`, {
    config: reporting,
    bodyLimit: 4 * 1024,
    schema: {
      summary: 'Start the upload of a photo of your own report',
      description: `At most ${maxPhotosOfReport}. Send the content in pieces afterward, as for other files.`,
      tags,
      params: reportParams,
      headers: keyHeader,
      body: newUpload.pick({ id: true, size: true, sha256: true }),
      response: { 201: uploadState },
    },
    async handler(request, reply) {
      const row = await requireKey(request.params, request.headers)
      const { mapId, id } = request.params
      const { body } = request
      if (row.state === 'withdrawn') throw new ConflictError('You have withdrawn this report.')
      const reporter = reporterOf(id)
      const files = await readFilesOf(database.read, mapId, id)
      const own = files.filter((file) => file.added_by_id === reporter.id && file.id !== body.id)
      const waiting = await countUploadsOf(database.read, { mapId, personId: reporter.id, except: body.id })
      if (own.length + waiting >= maxPhotosOfReport)
        throw new ConflictError(`A report can have at most ${maxPhotosOfReport} photos.`)
      const upload = { ...body, featureId: id, maintenanceId: null, name: 'Photo' }
      forOnePerson(reply.status(201))
      return uploads.start(mapId, reporter, upload)
    },
  })

  app.put(`${path}/:id/photos/:photoId`, {
    config: reporting,
    bodyLimit: maxPieceBytes,
    schema: {
      summary: 'Upload a piece of a photo of your own report',
      tags,
      consumes: ['application/octet-stream'],
      params: reportParams.extend({ photoId: fileId }),
      headers: keyHeader,
      querystring: z.strictObject({ offset: z.coerce.number().int().min(0).max(maxFileBytes) }),
      body: bytes,
      response: { 200: uploadState },
    },
    async handler(request, reply) {
      const { mapId, id, photoId } = request.params
      await requireKey({ mapId, id }, request.headers)
      forOnePerson(reply)
      const upload = { mapId, id: photoId, person: reporterOf(id), isPhoto: true }
      return uploads.receive(upload, request.query.offset, request.body)
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
      return { items: await Promise.all(rows.map(forStaff)), total }
    },
  })

  app.patch(`${path}/:id`, {
    config: editing,
    bodyLimit: 8 * 1024,
    schema: {
      summary: 'Change a report that is not on the map',
      tags,
      params: reportParams,
      headers: ifMatchHeader,
      body: staffReportChange,
      response: { 200: report },
    },
    async handler(request, reply) {
      const { person, body } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const row = await changeReport(database, { ...request.params, person, isExpected }, body)
      reply.header('etag', etagOf(row.version))
      return forStaff(row)
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
      tags,
      params: reportParams,
      headers: ifMatchHeader,
      body: reportDecision,
      response: { 200: report },
    },
    async handler(request, reply) {
      const { person, body } = request
      const isExpected = readIfMatch(request.headers['if-match'])
      const row = await decideReport(database, { ...request.params, person, isExpected }, body)
      reply.header('etag', etagOf(row.version))
      return forStaff(row)
    },
  })
  done()
}

function commonOf(row: ReportsTable) {
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
  }
}
