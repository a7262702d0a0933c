import sharp from 'sharp'
import { z } from 'zod'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { type BlobStore, blobKey, readBytes } from '../blob-stores/blob-store.ts'
import { readAssociation } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import type { ReportsTable } from '../database/tables.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { defineJob } from '../jobs/job-kind.ts'
import { shortHash } from '../mail/mail-html.ts'
import { type MailSender, mailJob, undelivered } from '../mail/mail-sender.ts'
import { reportNewsJobName } from '../mail/queue-news.queries.ts'
import { returningReport, returnNameOf } from '../mail/return-path.ts'
import { isOpenMap } from '../maps/maps.queries.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import { listNotes } from '../work/notes.queries.ts'
import { boxAround, drawSmallMap } from './draw-small-map.ts'
import { incidentOf, isFollowing, readFilesOfReport } from './report-content.ts'
import { mailKeyOf, stopEmailsPathOf, unsubscribeTokenOf } from './report-keys.ts'
import { type Standing, standingOf, writeNews } from './report-news.ts'
import { isAwaitingConfirmation, reporterOf } from './reports.commands.ts'
import { readParcelsIn, readReport, updateReport } from './reports.queries.ts'

type Place = { sender: MailSender; store: BlobStore; publicUrl: string }

/** Tells a reporter by email how the report stands, if that differs from the last message. */
export const reportNewsJob = ({ sender, store, publicUrl }: Place) =>
  defineJob({
    ...mailJob,
    name: reportNewsJobName,
    payload: z.object({ id: z.string(), turn: z.string() }),
    maxAtOnce: 2,
    async step({ database, mapId, payload: { id } }) {
      const report = await readReport(database.read, { mapId, id })
      if (!report?.email || !(await isOpenMap(database, mapId))) return 'done'
      const [standing, note, joinedTitle] = await readStanding(database, report)
      const current = JSON.stringify(standing)
      if (current === report.mailed) return 'done'
      const returning = returningReport(report)
      const problem = await sender.send({
        ...writeNews({
          report,
          standing,
          mailed: report.mailed === null ? null : (JSON.parse(report.mailed) as Standing),
          note,
          joinedTitle,
          association: await readAssociation(database.read, mapId),
          url: `${publicUrl}/report/${encodeURIComponent(mapId)}/${id}#${mailKeyOf(report)}`,
          confirmUrl: isAwaitingConfirmation(report)
            ? `${publicUrl}/report/${encodeURIComponent(mapId)}/${id}/confirm#${report.email_secret}`
            : null,
          unsubscribeUrl: `${publicUrl}${stopEmailsPathOf({ mapId, id })}?token=${unsubscribeTokenOf(report)}`,
          photo: await readPhoto(database, store, report),
          map: await drawMap(database, report),
          host: new URL(publicUrl).hostname,
          timeZone: await readTimeZone(database, mapId),
          messageName: shortHash(`${report.mailed} ${current}`),
        }),
        returnName: returning && returnNameOf(returning),
      })
      await database.write((transaction) =>
        updateReport(transaction, { mapId, id }, { mailed: current, mail_problem: problem }),
      )
      return 'done'
    },
    async giveUp(transaction, { mapId, payload: { id } }) {
      await updateReport(transaction, { mapId, id }, undelivered)
    },
  })

async function readStanding({ read }: Database, report: ReportsTable) {
  const mapId = report.map_id
  const incidentId = incidentOf(report)
  const incident = (await readRowsOf(read, mapId, [incidentId])).get(incidentId)
  const isOnMap = isFollowing(report)
  const notes = isOnMap ? await listNotes(read, { mapId, incidentIds: [incidentId] }, 'public') : []
  const ofOthers = notes.filter(({ source }) => source !== 'reporter')
  const title = report.state === 'accepted' ? null : (incident?.name ?? null)
  const { email_secret: secret } = report
  const confirmation =
    secret !== null && isAwaitingConfirmation(report) ? { confirmation: shortHash(secret) } : {}
  const standing = { ...standingOf(report, isOnMap ? incident : undefined, ofOthers), ...confirmation }
  return [standing, ofOthers.at(-1), title] as const
}

async function readPhoto({ read }: Database, store: BlobStore, report: ReportsTable) {
  const files = await readFilesOfReport(read, report)
  const { id } = reporterOf(report.id)
  const seen = files.filter((file) => file.is_public === 1 || file.added_by_id === id)
  const small = seen.find(({ kind }) => kind === 'photo')?.small
  const bytes = small ? await readBytes(store, blobKey(report.map_id, small)) : undefined
  // Some mail programs show no WebP.
  return bytes ? sharp(bytes).jpeg({ quality: 80 }).toBuffer() : null
}

async function drawMap(database: Database, { map_id: mapId, lat, lng }: ReportsTable) {
  const parcels = await readParcelsIn(database, mapId, boxAround({ lat, lng }))
  if (parcels.length === 0) return null
  return drawSmallMap(
    { lat, lng },
    parcels.map((geometry) => JSON.parse(geometry) as Geometry),
  )
}
