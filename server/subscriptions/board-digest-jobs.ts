import { z } from 'zod'
import { reportNumber } from '#domain/reports/report-states.ts'
import { localDay } from '#domain/values/time-zones.ts'
import { readAssociation } from '../clients/client-rows.queries.ts'
import type { Database } from '../database/database.ts'
import { readDueMaintenance } from '../features/maintenance/due.queries.ts'
import { type AnyJobKind, defineJob } from '../jobs/job-kind.ts'
import { insertJob } from '../jobs/jobs.queries.ts'
import { type MailPart, shortHash, toMail } from '../mail/mail-html.ts'
import { mailJob } from '../mail/mail-sender.ts'
import { boardDigestJobName, queueBoardDigest } from '../mail/queue-digest.queries.ts'
import { isOpenMap } from '../maps/maps.queries.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import { readReportSettings } from '../reports/report-settings.queries.ts'
import { listReports } from '../reports/reports.queries.ts'
import { readWork } from '../work/work-list.queries.ts'
import { listChangedRecords, listNewIncidents } from './board-digest.queries.ts'
import type { Place } from './subscription-jobs.ts'

const boardMailJobName = 'board-mail'
const weekMs = 7 * 86_400_000
const maxListed = 15

export const boardDigestJobs = (place: Place): AnyJobKind[] => [boardDigestJob, boardMailJob(place)]

/** Queues an email for each address, and the digest of the next week. */
const boardDigestJob = defineJob({
  name: boardDigestJobName,
  payload: z.object({ turn: z.string(), timeZone: z.string().optional() }),
  async step({ database, mapId }) {
    const timeZone = await readTimeZone(database, mapId)
    const now = Date.now()
    const day = localDay(now, timeZone)
    await database.write(async (transaction) => {
      const { board, digestHour: hour } = (await readReportSettings(transaction, mapId)).settings.emails
      if (board.length === 0) return
      for (const email of board) {
        const payload = { email, day, since: now - weekMs }
        await insertJob(transaction, { mapId, kind: boardMailJobName, key: `${day} ${email}`, payload }, now)
      }
      await queueBoardDigest(transaction, { mapId, hour, timeZone })
    })
    return 'done'
  },
  async giveUp(transaction, { mapId, payload: { timeZone = 'UTC' } }) {
    const { board, digestHour: hour } = (await readReportSettings(transaction, mapId)).settings.emails
    if (board.length > 0) await queueBoardDigest(transaction, { mapId, hour, timeZone })
  },
})

/** Sends nothing if there is no content. */
const boardMailJob = ({ sender, publicUrl }: Place) =>
  defineJob({
    ...mailJob,
    name: boardMailJobName,
    payload: z.object({ email: z.string(), day: z.string(), since: z.number() }),
    async step({ database, mapId, payload: { email, day, since }, signal }) {
      if (!(await isOpenMap(database, mapId))) return 'done'
      const lists = await readDigest(database, { mapId, day, since, publicUrl, signal })
      if (lists.length === 0) return 'done'
      const association = await readAssociation(database.read, mapId)
      const heading = `${association.name}: the week until ${day}`
      const small = `${association.name} sends this to the addresses of the board. Managers change them in the report settings.`
      await sender.send(
        toMail(
          { to: email, association, publicUrl },
          { subject: heading, heading, parts: [...lists, { small }] },
          { message: `board.${mapId}.${day}.${shortHash(email)}` },
        ),
      )
      return 'done'
    },
  })

type Week = { mapId: string; day: string; since: number; publicUrl: string; signal: AbortSignal }

/** Non-empty lists of new, overdue, due and changed records, each with a link. */
export async function readDigest(
  database: Database,
  { mapId, day, since, publicUrl, signal }: Week,
): Promise<MailPart[]> {
  const { read } = database
  const [base, limit] = [`${publicUrl}/config/map/${encodeURIComponent(mapId)}`, maxListed]
  const query = { mapId, since, limit }
  const [waiting, incidents, overdue, maintenance, changed] = [
    await listReports(read, { mapId, state: 'new' }, limit),
    await database.readInWorker({ mapId, signal }, (reader) => listNewIncidents(reader, query)),
    await readWork(database, { mapId, signal }, { view: 'overdue', name: '', today: day, limit }),
    await readDueMaintenance(read, mapId, { today: day, limit }),
    await database.readInWorker({ mapId, signal }, (reader) => listChangedRecords(reader, query)),
  ]
  const record = (id: string) => `${base}/features?select=${encodeURIComponent(id)}`
  const lists = [
    {
      heading: `Reports that wait for review (${waiting.total})`,
      list: waiting.rows.map(({ number, title }) => ({
        text: `${reportNumber(number)} ${title}`,
        url: `${base}/reports`,
      })),
    },
    { heading: 'New incidents', list: incidents.map(({ id, name }) => ({ text: name, url: record(id) })) },
    {
      heading: `Overdue (${overdue.total})`,
      list: overdue.items.map(({ id, title, due }) => ({ text: `${title}, due ${due}`, url: record(id) })),
    },
    {
      heading: `Maintenance due within 30 days (${maintenance.due})`,
      list: maintenance.items
        .filter(({ isOverdue }) => !isOverdue)
        .map(({ id, name, task, dueOn }) => ({
          text: [name, ...(task === null ? [] : [task]), `due ${dueOn}`].join(', '),
          url: record(id),
        })),
    },
    { heading: 'Changed records', list: changed.map(({ id, name }) => ({ text: name, url: record(id) })) },
  ]
  return lists.filter(({ list }) => list.length > 0)
}
