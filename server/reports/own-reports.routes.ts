import type { FastifyRequest } from 'fastify'
import type { FastifyPluginCallbackZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
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
import type { BlobStore } from '../blob-stores/blob-store.ts'
import type { Database } from '../database/database.ts'
import type { ReportsTable } from '../database/tables.ts'
import { NotFoundError } from '../domain-error.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { toFile } from '../files/files.queries.ts'
import { addPhotosByKey } from '../files/photos-by-key.ts'
import type { UploadReceiver } from '../files/receive-upload.ts'
import { isReading } from '../http/data-routes.ts'
import { forOnePerson } from '../http/for-one-person.ts'
import { html } from '../http/html.ts'
import { isEqualText } from '../http/is-equal-text.ts'
import { isForPerson, sendPage } from '../http/plain-page.ts'
import { refuseSample } from '../http/refuse-sample.ts'
import { countReporters, readMerge } from '../merges/merges.queries.ts'
import type { Configuration } from '../settings/configuration.ts'
import { isOfReport, listNotes, toNote } from '../work/notes.queries.ts'
import { issueChallenge, noChallenge } from './challenges.ts'
import { confirmReport, publishAtOnce } from './publish-report.commands.ts'
import { incidentOf, isFollowing, readFilesOfReport } from './report-content.ts'
import {
  isConfirmationKeyOf,
  isKeyOf,
  stopEmailsPath,
  stopEmailsPathOf,
  unsubscribeTokenOf,
} from './report-keys.ts'
import { standingOf } from './report-news.ts'
import { protectReports } from './report-protection.ts'
import { requireReportSecret } from './report-secrets.queries.ts'
import {
  addComment,
  addReport,
  changeOwnReport,
  endEmails,
  isMailedAgain,
  reporterOf,
} from './reports.commands.ts'
import { readReport } from './reports.queries.ts'
import { commonOf, mapParams, reportParams, reportsPath, reportTags as tags } from './reports.routes.ts'

/** Visitors report without an account. The key of the private link stands for them. */
const reporting = { access: 'public' } as const
const path = `${reportsPath}/:id`

const keyHeader = z.looseObject({
  'report-key': reportKey.meta({ description: 'The key of the private link' }),
})

const own = { tags, params: reportParams, headers: keyHeader, response: { 200: reportForReporter } }

const unsubscribeQuery = z.strictObject({ token: reportKey })

type KeyRequest = FastifyRequest & {
  params: z.output<typeof reportParams>
  headers: z.output<typeof keyHeader>
}

type Dependencies = {
  database: Database
  uploads: UploadReceiver
  store: BlobStore
  configuration: Pick<Configuration, 'reportProtection' | 'mailServer'>
}

export const ownReportRoutes: FastifyPluginCallbackZod<Dependencies> = (
  app,
  { database, uploads, store, configuration: { reportProtection, mailServer } },
  done,
) => {
  // Mail programs send this form to unsubscribe. Its content is always the same.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, _body, ready) => ready(null, {}),
  )
  const { protect, refuseBlocked, limitMail } = protectReports(app, database, reportProtection)

  async function requireReportIf(
    key: z.output<typeof reportParams>,
    isAllowed: (row: ReportsTable) => boolean,
  ): Promise<ReportsTable> {
    const row = await readReport(database.read, key)
    // The same response as for a missing report: ids of incidents are public.
    if (!row || !isAllowed(row)) throw new NotFoundError('There is no report at this link.')
    return row
  }

  const requireKey = ({ params, headers }: KeyRequest) =>
    requireReportIf(params, (row) => isKeyOf(row, headers['report-key']))

  /** Blocked senders can read, and end emails. */
  async function requireKeyToChange(request: KeyRequest): Promise<ReportsTable> {
    const row = await requireKey(request)
    await refuseBlocked(request, row.map_id)
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
      photos: row.state === 'hidden' ? [] : (await readOwnFiles(row)).map((file) => toFile(file, false)),
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
      ...own,
    },
    async handler(request, reply) {
      forOnePerson(reply)
      return forReporter(await requireKey(request))
    },
  })

  app.patch(`${path}/own`, {
    config: reporting,
    bodyLimit: 8 * 1024,
    schema: {
      summary: 'Change your own report, within an hour and before it is reviewed',
      ...own,
      body: reportChange,
    },
    async handler(request, reply) {
      const { params, body } = request
      const row = await requireKeyToChange(request)
      const email = body.email ?? row.email
      if (email !== null && isMailedAgain(row, body))
        await limitMail(request, reply, { mapId: params.mapId, email })
      forOnePerson(reply)
      return forReporter(await changeOwnReport(database, params, body))
    },
  })

  app.post(`${path}/own/withdraw`, {
    config: reporting,
    bodyLimit: 1024,
    schema: { summary: 'Withdraw your own report, within an hour and before it is reviewed', ...own },
    async handler(request, reply) {
      await requireKeyToChange(request)
      forOnePerson(reply)
      return forReporter(await changeOwnReport(database, request.params, 'withdraw'))
    },
  })

  addPhotosByKey(app, {
    ...{ database, uploads, store, path, tags },
    params: reportParams,
    headers: keyHeader,
    link: 'the private link of a report',
    maxPhotos: maxPhotosOfReport,
    async open(request) {
      const byKey = request as KeyRequest
      const row = isReading(byKey.method) ? await requireKey(byKey) : await requireKeyToChange(byKey)
      return {
        featureId: row.id,
        person: reporterOf(row.id),
        files: await readOwnFiles(row),
        isHidden: row.state === 'hidden',
        refusal: row.state === 'withdrawn' ? 'You have withdrawn this report.' : null,
      }
    },
  })

  app.post(`${path}/own/comments`, {
    config: reporting,
    bodyLimit: 16 * 1024,
    schema: {
      summary: 'Comment on your own report',
      description: 'Staff read the comment, and may publish it.',
      ...own,
      body: newComment,
    },
    async handler(request, reply) {
      await requireKeyToChange(request)
      forOnePerson(reply)
      return forReporter(await addComment(database, request.params, request.body))
    },
  })

  app.post(`${path}/own/end-emails`, {
    config: reporting,
    bodyLimit: 1024,
    schema: {
      summary: 'Get no more emails about your own report',
      ...own,
    },
    async handler(request, reply) {
      await requireKey(request)
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
      ...own,
    },
    async handler(request, reply) {
      const { 'report-key': key } = request.headers
      const row = await requireReportIf(request.params, (one) => isConfirmationKeyOf(one, key))
      await refuseBlocked(request, row.map_id)
      forOnePerson(reply)
      return forReporter(await confirmReport(database, request.params))
    },
  })

  // Mail programs may open the address for its reader, who presses the button.
  app.get(stopEmailsPath, {
    schema: {
      hide: true,
      params: reportParams,
      querystring: unsubscribeQuery.extend({ ended: z.literal('yes').optional() }),
    },
    handler(request, reply) {
      if (request.query.ended) {
        const content = html`<h1>Emails stopped</h1><p>You get no more emails about this report.</p>`
        return sendPage(reply, 200, { title: 'Emails stopped', content })
      }
      const { mapId, id } = request.params
      const action = `${stopEmailsPathOf({ mapId, id })}?token=${request.query.token}`
      const content = html`<h1>Stop emails</h1>
<p>Press the button to get no more emails about this report.</p>
<form method="post" action="${action}"><button class="primary">Stop emails</button></form>`
      return sendPage(reply, 200, { title: 'Stop emails', content })
    },
  })

  // Emails of earlier versions have the other address.
  for (const url of [`${path}/unsubscribe`, stopEmailsPath])
    app.post(url, {
      // Mail programs send it without a session and from anywhere (RFC 8058).
      config: { ...reporting, isFromAnywhere: true },
      bodyLimit: 4 * 1024,
      schema: {
        hide: url === stopEmailsPath,
        summary: 'Get no more emails about a report, from a mail program',
        tags,
        params: reportParams,
        querystring: unsubscribeQuery,
        response: { 204: z.null() },
      },
      async handler(request, reply) {
        const { params, query } = request
        await requireReportIf(params, (row) => isEqualText(query.token, unsubscribeTokenOf(row)))
        await endEmails(database, request.params)
        if (isForPerson(request)) return reply.redirect(`${request.url}&ended=yes`, 303)
        reply.status(204)
        return null
      },
    })

  done()
}
