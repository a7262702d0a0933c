import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { fileId, maxFileBytes, newUpload, uploadState } from '#domain/files/file.schema.ts'
import { maxPieceBytes } from '#domain/files/piece-size.ts'
import {
  challenge,
  type ReportForReporter,
  reportChange,
  reportForReporter,
  reportKey,
  sentReport,
} from '#domain/reports/report.schema.ts'
import { maxPhotosOfReport } from '#domain/reports/report-states.ts'
import { newComment } from '#domain/work/work.schema.ts'
import type { Database } from '../database/database.ts'
import type { ReportsTable } from '../database/tables.ts'
import { ConflictError, NotFoundError } from '../domain-error.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { toFile } from '../files/files.queries.ts'
import type { UploadReceiver } from '../files/receive-upload.ts'
import { countUploadsOf } from '../files/uploads.queries.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { isEqualText } from '../http/is-equal-text.ts'
import { acceptBytes, bytes } from '../http/octet-stream.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { countReporters, readMerge } from '../merges/merges.queries.ts'
import type { Configuration } from '../settings/configuration.ts'
import { isOfReport, listNotes, toNote } from '../work/notes.queries.ts'
import { issueChallenge, noChallenge } from './challenges.ts'
import { confirmReport, publishAtOnce } from './publish-report.commands.ts'
import { incidentOf, isFollowing, readFilesOfReport } from './report-content.ts'
import { isConfirmationKeyOf, isKeyOf, unsubscribeTokenOf } from './report-keys.ts'
import { standingOf } from './report-news.ts'
import { protectReports } from './report-protection.ts'
import { requireReportSecret } from './report-secrets.queries.ts'
import { addComment, addReport, changeOwnReport, endEmails, reporterOf } from './reports.commands.ts'
import { readReport } from './reports.queries.ts'
import { commonOf, mapParams, reportParams, reportsPath, reportTags as tags } from './reports.routes.ts'

/** Visitors report without an account. The key of the private link stands for them. */
const reporting = { access: 'public' } as const
const path = `${reportsPath}/:id`

const keyHeader = z.looseObject({
  'report-key': reportKey.meta({ description: 'The key of the private link' }),
})

type Dependencies = {
  database: Database
  uploads: UploadReceiver
  configuration: Pick<Configuration, 'reportProtection' | 'mailServer'>
}

export const ownReportRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, uploads, configuration: { reportProtection, mailServer } },
  done,
) => {
  acceptBytes(app)
  // Mail programs send this form to unsubscribe. Its content is always the same.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, ready) => ready(null, {}),
  )
  const protect = protectReports(app, database, reportProtection)

  async function requireKey(
    { mapId, id }: { mapId: string; id: string },
    { 'report-key': key }: { 'report-key': string },
  ): Promise<ReportsTable> {
    const row = await readReport(database.read, { mapId, id })
    // The same response as for a missing report: ids of incidents are public.
    if (!row || !isKeyOf(row, key)) throw new NotFoundError('There is no report at this link.')
    return row
  }

  async function forReporter(row: ReportsTable): Promise<ReportForReporter> {
    const { map_id: mapId, id } = row
    const incidentId = incidentOf(row)
    const incident = (await readRowsOf(database.read, mapId, [incidentId])).get(incidentId)
    const isOnMap = incident !== undefined && isFollowing(row)
    const notes = await listNotes(database.read, { mapId, incidentIds: [id, incidentId] }, 'everything')
    const descriptionId = (await readMerge(database.read, { mapId, id }))?.note_id
    const seen = notes.filter(
      (note) =>
        note.id !== descriptionId &&
        ((isOnMap && note.is_public === 1 && note.incident_id === incidentId) || isOfReport(note, id)),
    )
    const reporters = await countReporters(database.read, { mapId, incidentIds: [incidentId] })
    return {
      ...commonOf(row),
      photos: (await readOwnFiles(row)).map((file) => toFile(file, false)),
      incident: incident
        ? {
            id: incident.id,
            title: incident.name,
            resolved: incident.status === 'resolved',
            workState: standingOf(row, incident, []).work,
            reporters: reporters.get(incidentId) ?? 0,
          }
        : null,
      notes: seen.map((note) => toNote(note, false)),
    }
  }

  async function readOwnFiles(row: ReportsTable) {
    const files = await readFilesOfReport(database.read, row)
    return files.filter(({ added_by_id }) => added_by_id === reporterOf(row.id).id)
  }

  app.post(reportsPath, {
    config: reporting,
    bodyLimit: 8 * 1024,
    schema: {
      summary: 'Report a problem',
      description:
        'Anyone may report. The settings of the association say whether the report becomes public after a review, after the ' +
        'address is confirmed, or immediately. Keep the key: it opens the private link. Without a token, solve a challenge first.',
      tags,
      params: mapParams,
      body: sentReport,
      response: { 201: reportForReporter },
    },
    async handler(request, reply) {
      const { mapId } = request.params
      const { isHeld, sender } = await protect(request, reply, mapId, request.body)
      refuseSample(mapId, 'choose the map of an association to report a problem.')
      forOnePerson(reply.status(201))
      const { check: _, ...body } = request.body
      const report = await addReport(
        database,
        { mapId, sendsMail: mailServer !== null, isHeld, sender },
        body,
      )
      return forReporter(await publishAtOnce(database, report))
    },
  })

  app.post(`${reportsPath}/challenge`, {
    config: reporting,
    bodyLimit: 1024,
    schema: {
      summary: 'Get a challenge to solve before sending a report',
      description:
        'Find a `nonce` (see `check.work` of a report). Not needed with an access token or as staff.',
      tags,
      params: mapParams,
      response: { 200: challenge },
    },
    async handler({ params: { mapId } }, reply) {
      forOnePerson(reply)
      if (reportProtection.modes.work === 'off') return noChallenge
      return issueChallenge(await requireReportSecret(database, mapId), Date.now())
    },
  })

  app.get(`${path}/own`, {
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

  app.patch(`${path}/own`, {
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

  app.post(`${path}/own/withdraw`, {
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

  app.post(`${path}/photos`, {
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
      const own = (await readOwnFiles(row)).filter((file) => file.id !== body.id)
      const waiting = await countUploadsOf(database.read, { mapId, personId: reporter.id, except: body.id })
      if (own.length + waiting >= maxPhotosOfReport)
        throw new ConflictError(`A report can have at most ${maxPhotosOfReport} photos.`)
      const upload = { ...body, featureId: id, maintenanceId: null, name: 'Photo' }
      forOnePerson(reply.status(201))
      return uploads.start(mapId, reporter, upload)
    },
  })

  app.put(`${path}/photos/:photoId`, {
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

  app.post(`${path}/own/comments`, {
    config: reporting,
    bodyLimit: 16 * 1024,
    schema: {
      summary: 'Comment on your own report',
      description: 'Staff read the comment, and may publish it.',
      tags,
      params: reportParams,
      headers: keyHeader,
      body: newComment,
      response: { 200: reportForReporter },
    },
    async handler(request, reply) {
      await requireKey(request.params, request.headers)
      forOnePerson(reply)
      return forReporter(await addComment(database, request.params, request.body))
    },
  })

  app.post(`${path}/own/end-emails`, {
    config: reporting,
    bodyLimit: 1024,
    schema: {
      summary: 'Get no more emails about your own report',
      tags,
      params: reportParams,
      headers: keyHeader,
      response: { 200: reportForReporter },
    },
    async handler(request, reply) {
      await requireKey(request.params, request.headers)
      forOnePerson(reply)
      return forReporter(await endEmails(database, request.params))
    },
  })

  app.post(`${path}/confirm`, {
    config: reporting,
    bodyLimit: 1024,
    schema: {
      summary: 'Confirm the email address of a report',
      description:
        'The key is in the email. Puts the report on the map if the association asks for a confirmed address, and staff ' +
        'have not decided yet.',
      tags,
      params: reportParams,
      headers: keyHeader,
      response: { 200: reportForReporter },
    },
    async handler(request, reply) {
      const row = await readReport(database.read, request.params)
      if (!row || !isConfirmationKeyOf(row, request.headers['report-key']))
        throw new NotFoundError('There is no report at this link.')
      forOnePerson(reply)
      return forReporter(await confirmReport(database, request.params))
    },
  })

  app.post(`${path}/unsubscribe`, {
    // Mail programs send it without a session and from anywhere (RFC 8058).
    config: { ...reporting, isFromAnywhere: true },
    bodyLimit: 4 * 1024,
    schema: {
      summary: 'Get no more emails about a report, from a mail program',
      tags,
      params: reportParams,
      querystring: z.strictObject({ token: reportKey }),
      response: { 204: z.null() },
    },
    async handler(request, reply) {
      const row = await readReport(database.read, request.params)
      if (!row || !isEqualText(request.query.token, unsubscribeTokenOf(row)))
        throw new NotFoundError('There is no report at this link.')
      await endEmails(database, request.params)
      reply.status(204)
      return null
    },
  })

  done()
}
