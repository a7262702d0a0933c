import { z } from 'zod'
import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { workStateLabels } from '#domain/incidents/work-states.ts'
import { reportNumber, reportStateLabels } from '#domain/reports/report-states.ts'
import { type Standing, standingOf } from '#domain/subscriptions/standing.ts'
import { type Association, readAssociation } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import type { IncidentNotesTable, ReportsTable } from '../database/tables.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { defineJob } from '../jobs/job-kind.ts'
import { shortHash, toMail } from '../mail/mail-html.ts'
import { mailJob } from '../mail/mail-sender.ts'
import { staffNewsJobName } from '../mail/queue-news.queries.ts'
import { isOpenMap } from '../maps/maps.queries.ts'
import { readReportSettings } from '../reports/report-settings.queries.ts'
import { readReport } from '../reports/reports.queries.ts'
import { listNotes } from '../work/notes.queries.ts'
import { insertMailed, readMailed, updateMailed } from './incident-news.queries.ts'
import type { Place } from './subscription-jobs.ts'
import { incidentUrl } from './subscription-mails.ts'

type StaffStanding = Standing & { state: ReportsTable['state'] }

/** Tells the staff addresses of its type how a report stands, if that differs from their last email. */
export const staffNewsJob = ({ sender, publicUrl }: Place) =>
  defineJob({
    ...mailJob,
    name: staffNewsJobName,
    payload: z.object({ id: z.string(), turn: z.string() }),
    async step({ database, mapId, payload: { id } }) {
      const report = await readReport(database.read, { mapId, id })
      if (!report || !(await isOpenMap(database, mapId))) return 'done'
      const { settings } = await readReportSettings(database.read, mapId)
      const [standing, note] = await readStanding(database, report)
      const association = await readAssociation(database.read, mapId)
      const failures: unknown[] = []
      for (const to of settings.types[report.type].staffEmails) {
        const key = { mapId, id, recipient: `staff ${to}` }
        const before = (await readMailed(database.read, key)) as StaffStanding | null | undefined
        if (JSON.stringify(before ?? null) === JSON.stringify(standing)) continue
        const content = { to, report, standing, before: before ?? null, note, association, publicUrl }
        // One that cannot be reached must not delay those after it.
        const failure = await sender.send(writeStaffNews(content)).then(
          () => null,
          (error: unknown) => error,
        )
        if (failure !== null) failures.push(failure)
        else
          await database.write(async (transaction) => {
            await insertMailed(transaction, key, null)
            await updateMailed(transaction, key, standing)
          })
      }
      if (failures.length > 0) throw failures[0]
      return 'done'
    },
  })

async function readStanding({ read }: Database, report: ReportsTable) {
  const { map_id: mapId, id, state } = report
  const incident = state === 'accepted' ? (await readRowsOf(read, mapId, [id])).get(id) : undefined
  const notes = await listNotes(read, { mapId, incidentIds: [id] }, 'everything')
  const note = notes.filter(({ source, is_public }) => source !== 'staff' || is_public === 1).at(-1)
  const standing: StaffStanding = { ...standingOf(incident ?? { status: null, fields: '{}' }, note), state }
  return [standing, note] as const
}

type StaffNews = {
  to: string
  report: ReportsTable
  standing: StaffStanding
  before: StaffStanding | null
  note: IncidentNotesTable | undefined
  association: Association
  publicUrl: string
}

function writeStaffNews({ to, report, standing, before, note, association, publicUrl }: StaffNews) {
  const { map_id: mapId, id, state, title, description, type } = report
  const number = reportNumber(report.number)
  const words = (standing.work ? workStateLabels[standing.work] : reportStateLabels[state]).toLowerCase()
  const isNewNote = note !== undefined && note.id !== before?.noteId
  const thread = `staff.${mapId}.${id}.${shortHash(to)}`
  const url = incidentUrl(publicUrl, mapId, id)
  return toMail(
    { to, association, publicUrl },
    {
      // The same in each email, so that mail programs without threads can sort them.
      subject: `[${number}] ${title}`,
      heading: before === null ? `New report ${number}: ${words}` : `${number}: ${words}`,
      parts: [
        { text: `${title} (${incidentTypeLabels[type]})` },
        ...(before === null && description !== '' ? [{ quote: description }] : []),
        ...(isNewNote ? [{ text: noteIntro[note.source] }, { quote: note.text }] : []),
        standing.state === 'accepted'
          ? { link: 'Show it on the map', url }
          : { link: 'Review reports', url: `${publicUrl}/config/map/${encodeURIComponent(mapId)}/reports` },
        {
          small: `${association.name} sends this to the staff address for ‘${incidentTypeLabels[type]}’. Managers change it in the report settings.`,
        },
      ],
    },
    {
      message: before === null ? thread : `${thread}.${shortHash(JSON.stringify([before, standing]))}`,
      thread,
    },
  )
}

const noteIntro = { staff: 'Note:', reporter: 'The reporter wrote:', contractor: 'The contractor wrote:' }
