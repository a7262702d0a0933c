import { z } from 'zod'
import { readAssociation } from '../clients/client-rows.queries.ts'
import { toNewFeature } from '../features/rows/feature-row.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { defineJob } from '../jobs/job-kind.ts'
import { toMail } from '../mail/mail-html.ts'
import { type MailSender, mailJob, undelivered } from '../mail/mail-sender.ts'
import { isOpenMap } from '../maps/maps.queries.ts'
import { readTimeZone } from '../maps/time-zone.queries.ts'
import { isOpenLink, workLinkMailName } from './work-links.commands.ts'
import { readWorkLink, updateWorkLink } from './work-links.queries.ts'
import { addressOfLink } from './work-links.routes.ts'

/** Sends a work link to its contractor, once. */
export const workLinkMailJob = ({ sender, publicUrl }: { sender: MailSender; publicUrl: string }) =>
  defineJob({
    ...mailJob,
    name: workLinkMailName,
    payload: z.object({ id: z.string() }),
    async step({ database, mapId, payload: { id } }) {
      const link = await readWorkLink(database.read, { mapId, id })
      if (!link?.email || link.mailed_at !== null || !isOpenLink(link, Date.now())) return 'done'
      if (!(await isOpenMap(database, mapId))) return 'done'
      const row = (await readRowsOf(database.read, mapId, [link.incident_id])).get(link.incident_id)
      const incident = row && toNewFeature(row)
      if (!row || incident?.kind !== 'incident') return 'done'
      const association = await readAssociation(database.read, mapId)
      const timeZone = await readTimeZone(database, mapId)
      const inWords = (at: number | string, zone = timeZone) =>
        new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: zone }).format(new Date(at))
      const until = inWords(link.expires_at)
      const parcel =
        incident.parcelId &&
        (await readRowsOf(database.read, mapId, [incident.parcelId])).get(incident.parcelId)
      const place = `${row.lat.toFixed(5)}, ${row.lng.toFixed(5)}`
      const { name, phone } = association
      const facts = [
        ...(incident.due ? [`Due: ${inWords(incident.due, 'UTC')}`] : []),
        `Place: ${parcel ? `${parcel.name} (${place})` : place}`,
        ...(phone ? [`Questions: ${phone}`] : []),
      ]
      const parts = [
        ...(link.instructions === '' ? [] : [{ text: link.instructions }]),
        { text: facts.join('\n') },
        ...(row.description === '' ? [] : [{ quote: row.description }]),
        {
          text: `The page shows the place and photos. There you can write notes, add photos and mark the work as done. It works until ${until}, without an account. Anyone with the link can do the same.`,
        },
        { link: 'Open the work', url: addressOfLink(publicUrl, link) },
      ]
      const heading = `${name} asks you to take care of ‘${row.name}’`
      const mail = toMail(
        { to: link.email, association, publicUrl },
        { subject: `Work for ${name}: ${row.name}`, heading, parts },
        { message: `work.${mapId}.${id}` },
      )
      const problem = await sender.send(mail)
      await database.write((transaction) =>
        updateWorkLink(transaction, { mapId, id }, { mailed_at: Date.now(), mail_problem: problem }),
      )
      return 'done'
    },
    async giveUp(transaction, { mapId, payload: { id } }) {
      await updateWorkLink(transaction, { mapId, id }, undelivered)
    },
  })
