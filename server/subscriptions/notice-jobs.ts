import { z } from 'zod'
import { type AnyJobKind, defineJob } from '../jobs/job-kind.ts'
import { insertJob } from '../jobs/jobs.queries.ts'
import { mailJob } from '../mail/mail-sender.ts'
import { isOpenMap } from '../maps/maps.queries.ts'
import { noticeJobName } from './notices.commands.ts'
import { noteQueued, readNotice } from './notices.queries.ts'
import { contextOf, type Place, sendTo } from './subscription-jobs.ts'
import { writeNotice } from './subscription-mails.ts'
import { isActive } from './subscriptions.commands.ts'
import { readSubscription, updateSubscription } from './subscriptions.queries.ts'

const noticeMailJobName = 'notice-mail'

export const noticeJobs = (place: Place): AnyJobKind[] => [noticeJob, noticeMailJob(place)]

/** Queues an email for each recipient, so that one who cannot be reached does not delay others. */
const noticeJob = defineJob({
  name: noticeJobName,
  payload: z.object({ id: z.string(), recipients: z.array(z.string()) }),
  async step({ database, mapId, payload: { id, recipients } }) {
    const now = Date.now()
    await database.write(async (transaction) => {
      if (!(await noteQueued(transaction, { mapId, id }, now))) return
      for (const recipient of recipients.toSorted()) {
        const job = { mapId, kind: noticeMailJobName, key: `${id} ${recipient}`, payload: { id, recipient } }
        await insertJob(transaction, job, now)
      }
    })
    return 'done'
  },
})

const noticeMailJob = ({ sender, publicUrl }: Place) =>
  defineJob({
    ...mailJob,
    name: noticeMailJobName,
    payload: z.object({ id: z.string(), recipient: z.string() }),
    async step({ database, mapId, payload: { id, recipient } }) {
      const row = await readSubscription(database.read, { mapId, id: recipient })
      const notice = await readNotice(database.read, { mapId, id })
      if (!row || !isActive(row) || row.notices === 0 || !notice || !(await isOpenMap(database, mapId)))
        return 'done'
      const mail = writeNotice({ row, notice, publicUrl, ...(await contextOf(database, row)) })
      const refusals = await sendTo(sender, row, mail)
      await database.write((transaction) =>
        updateSubscription(transaction, { mapId, id: recipient }, refusals),
      )
      return 'done'
    },
  })
