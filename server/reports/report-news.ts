import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { workInWords } from '#domain/incidents/work-in-words.ts'
import type { WorkState } from '#domain/incidents/work-states.ts'
import { reportNumber } from '#domain/reports/report-states.ts'
import { standingOf as standingOfIncident } from '#domain/subscriptions/standing.ts'
import type { Association } from '../clients/client-rows.queries.ts'
import type { FeatureColumns, IncidentNotesTable, ReportsTable } from '../database/tables.ts'
import { type MailPart, writeMail } from '../mail/mail-html.ts'
import type { Mail } from '../mail/mail-sender.ts'

/** State of a report, as far as its reporter should know. Stored when the email was sent. */
export type Standing = {
  state: ReportsTable['state']
  work: WorkState | null
  noteId: string | null
  /** A report that waits for review, about an incident that its reporter recognized. */
  isJoined?: true
  /** Hash of the key that confirms the address, which a change of the report renews. */
  confirmation?: string
}

export function standingOf(
  { state, duplicate_of }: Pick<ReportsTable, 'state' | 'duplicate_of'>,
  incident: Pick<FeatureColumns, 'status' | 'fields'> | undefined,
  publicNotes: readonly Pick<IncidentNotesTable, 'id'>[],
): Standing {
  return {
    state,
    work: incident ? standingOfIncident(incident, undefined).work : null,
    noteId: publicNotes.at(-1)?.id ?? null,
    ...(state === 'new' && duplicate_of !== null ? { isJoined: true } : {}),
  }
}

/** Continues 'Your report R-12'. */
export function standingInWords({ state, work, isJoined }: Standing, joinedTitle: string | null): string {
  const progress = work === null ? '' : `, which ${workInWords[work]}`
  const other = joinedTitle === null ? 'another report' : `‘${joinedTitle}’`
  if (isJoined) return `was received. It is about the same problem as ${other}${progress}`
  if (state === 'duplicate') return `was joined with ${other}, about the same problem${progress}`
  if (state === 'new') return 'was received and waits for review'
  if (state === 'rejected') return 'was reviewed and will not be put on the map'
  if (state === 'hidden') return 'was hidden, because its text or photos cannot be shown'
  if (state === 'withdrawn') return 'was withdrawn'
  return work === null ? 'was accepted' : workInWords[work]
}

type News = {
  report: ReportsTable
  standing: Standing
  /** Null for the first message. */
  mailed: Standing | null
  note: IncidentNotesTable | undefined
  /** Title of the incident that the report was joined with. */
  joinedTitle: string | null
  association: Association
  /** The private page. */
  url: string
  /** The page that confirms the address; null if that changes nothing. */
  confirmUrl: string | null
  unsubscribeUrl: string
  photo: Uint8Array | null
  map: Uint8Array | null
  host: string
  timeZone: string
  /** Differs for each message about the report, and is equal if the same one is sent again. */
  messageName: string
}

export function writeNews(news: News): Mail {
  const { report, standing, mailed, note, association, url, unsubscribeUrl, map, host } = news
  // Anyone can enter any address. A confirmation shows the text that it publishes.
  const isToStranger = mailed === null && news.confirmUrl === null
  const photo = isToStranger ? null : news.photo
  const number = reportNumber(report.number)
  // Notes from before the report were not written for its reporter.
  const isNewNote = note !== undefined && (mailed ? note.id !== mailed.noteId : note.at >= report.created_at)
  const isOnlyNote = isNewNote && mailed?.state === standing.state && mailed.work === standing.work
  const { confirmUrl } = news
  const heading = isOnlyNote
    ? `There is news about your report ${number}`
    : confirmUrl !== null
      ? `Please confirm your report ${number}`
      : `Your report ${number} ${standingInWords(standing, news.joinedTitle)}`
  const answer = mailed?.state === standing.state ? '' : report.public_note
  const madeAt = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: news.timeZone,
  }).format(report.made_at)
  const parts: MailPart[] = [
    ...(confirmUrl === null
      ? []
      : [
          { text: 'It appears on the map when you confirm your email address, or when staff review it.' },
          { link: 'Confirm your address', url: confirmUrl },
        ]),
    ...(answer === '' ? [] : [{ quote: answer }]),
    ...(isNewNote ? [{ quote: note.text }] : []),
    { text: `${report.title} (${incidentTypeLabels[report.type]}), ${madeAt}` },
    ...(report.description === '' || isToStranger ? [] : [{ text: `You wrote: ${report.description}` }]),
    ...(photo ? [{ picture: 'photo', alt: 'Your photo' }] : []),
    ...(map ? [{ picture: 'map', alt: 'The place on a small map' }] : []),
    { link: mailed === null ? 'See, change or withdraw your report' : 'See your report', url },
    {
      small: `${association.name} sends you this because this address was entered with the report, by you or by mistake.`,
      link: 'Stop these emails',
      url,
    },
  ]
  const thread = `report.${report.map_id}.${report.id}@${host}`
  return {
    to: report.email ?? '',
    fromName: association.name,
    replyTo: association.email,
    subject: `[${number}] ${report.title}: ${isOnlyNote ? 'news' : confirmUrl ? 'please confirm' : shortly(standing)}`,
    ...writeMail(heading, parts),
    messageId: mailed === null ? thread : `report.${report.map_id}.${report.id}.${news.messageName}@${host}`,
    thread,
    unsubscribeUrl,
    pictures: [
      ...(photo ? [{ name: 'photo', type: 'image/jpeg', bytes: photo }] : []),
      ...(map ? [{ name: 'map', type: 'image/png', bytes: map }] : []),
    ],
  }
}

const shortlyWithoutProgress = {
  new: 'received',
  accepted: 'accepted',
  duplicate: 'joined with another report',
}

/** For the subject. */
function shortly({ state, work }: Standing): string {
  if (state === 'new' && work === null) return 'received'
  if (state === 'rejected') return 'not accepted'
  if (state === 'hidden') return 'hidden'
  if (state === 'withdrawn') return 'withdrawn'
  if (work === null || work === 'accepted') return shortlyWithoutProgress[state]
  return {
    assigned: 'assigned',
    in_progress: 'in progress',
    waiting: 'waiting',
    resolved: 'resolved',
    reopened: 'reopened',
  }[work]
}
