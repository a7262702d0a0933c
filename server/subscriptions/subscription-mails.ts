import { type IncidentType, incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { workInWords } from '#domain/incidents/work-in-words.ts'
import { workStateLabels } from '#domain/incidents/work-states.ts'
import { hasNewNote, type Standing } from '#domain/subscriptions/standing.ts'
import { topicInWords, typesInWords } from '#domain/subscriptions/subscriptions.ts'
import { counted } from '#domain/values/wording.ts'
import type { Association } from '../clients/client-rows.queries.ts'
import type { ReadDatabase } from '../database/database.ts'
import type { NoticesTable, SubscriptionsTable } from '../database/tables.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { type MailPart, toMail } from '../mail/mail-html.ts'
import type { Mail } from '../mail/mail-sender.ts'
import type { Current } from './incident-news.queries.ts'
import { manageUrlOf, unsubscribeUrlOf } from './subscription-keys.ts'

export const incidentUrl = (publicUrl: string, mapId: string, id: string) =>
  `${publicUrl}/map/${encodeURIComponent(mapId)}?select=${encodeURIComponent(id)}`

export const typeLabel = (type: string | null) =>
  type === null ? 'Incident' : (incidentTypeLabels[type as IncidentType] ?? 'Incident')

export async function describeSubscription(read: ReadDatabase, row: SubscriptionsTable): Promise<string> {
  const { map_id: mapId, topic, feature_id: id, radius_meters: radiusMeters } = row
  const name = id === null ? null : ((await readRowsOf(read, mapId, [id])).get(id)?.name ?? null)
  const types = topic === 'incident' ? '' : ` (${typesInWords(JSON.parse(row.types)).toLowerCase()})`
  const notices = row.notices === 1 ? ', and notices for this place' : ''
  const area: unknown = row.area && JSON.parse(row.area)
  return `${topicInWords({ topic, name, radiusMeters, area })}${types}${notices}`
}

const manage = (
  publicUrl: string,
  row: SubscriptionsTable,
  association: Association,
  why: string,
): MailPart => ({
  small: `${association.name} sends you this because you follow: ${why}.`,
  link: 'Change or end your subscriptions',
  url: manageUrlOf(publicUrl, row),
})

type Confirmation = { row: SubscriptionsTable; association: Association; publicUrl: string; why: string }

export function writeConfirmation({ row, association, publicUrl, why }: Confirmation): Mail {
  const isConfirmed = row.confirmed_at !== null
  const heading = isConfirmed ? 'You already get these updates' : 'Please confirm that you want updates'
  return toMail(
    { to: row.email, association, publicUrl },
    {
      subject: `${association.name}: ${isConfirmed ? 'you already get updates' : 'please confirm updates'}: ${why}`,
      heading,
      parts: [
        { text: why },
        { link: isConfirmed ? 'Manage your subscriptions' : 'Confirm', url: manageUrlOf(publicUrl, row) },
        {
          small:
            'Someone entered this address on the map. If that was not you, ignore this email: nothing changes.',
        },
      ],
    },
    { message: `subscription.${row.map_id}.${row.id}.${row.asked_at}` },
  )
}

type IncidentNews = Confirmation & { current: Current; before: Standing | null; messageName: string }

export function writeIncidentNews(news: IncidentNews): Mail {
  const { row, association, publicUrl, why, current, before, messageName } = news
  const { incident, standing, note } = current
  const isNewNote = note !== undefined && hasNewNote(before, standing)
  const thread = `incident.${row.map_id}.${incident.id}.${row.id}`
  return toMail(
    { to: row.email, association, publicUrl },
    {
      subject: `${incident.name}: ${shortly(standing, before)}`,
      heading: `${incident.name}${inWords(standing, before)}`,
      parts: [
        ...(isNewNote ? [{ quote: note.text }] : []),
        ...(before === null && incident.description !== '' ? [{ text: incident.description }] : []),
        { text: typeLabel(incident.type) },
        { link: 'Show it on the map', url: incidentUrl(publicUrl, row.map_id, incident.id) },
        manage(publicUrl, row, association, why),
      ],
    },
    {
      message: before === null ? thread : `${thread}.${messageName}`,
      thread,
      unsubscribeUrl: unsubscribeUrlOf(publicUrl, row),
    },
  )
}

const isProgress = (standing: Standing, before: Standing | null) =>
  before === null ? standing.work !== null && standing.work !== 'accepted' : before.work !== standing.work

function inWords(standing: Standing, before: Standing | null): string {
  if (isProgress(standing, before)) return ` ${workInWords[standing.work ?? 'reopened']}`
  return before === null ? ': new on the map' : ': there is news'
}

function shortly(standing: Standing, before: Standing | null): string {
  if (isProgress(standing, before)) return workStateLabels[standing.work ?? 'reopened'].toLowerCase()
  return before === null ? 'new' : 'news'
}

export type DigestItem = { id: string; name: string; standing: Standing; isNew: boolean }

type Digest = Confirmation & {
  frequency: 'daily' | 'weekly'
  items: readonly DigestItem[]
  hasMore: boolean
  day: string
}

export function writeDigest(digest: Digest): Mail {
  const { row, association, publicUrl, hasMore, frequency, day } = digest
  const title = `${association.name}: ${frequency} updates`
  return toMail(
    { to: row.email, association, publicUrl },
    {
      subject: `${title}, ${day}`,
      heading: title,
      parts: listItems(digest, hasMore),
    },
    {
      message: `digest.${row.map_id}.${row.id}.${frequency}.${day}`,
      unsubscribeUrl: unsubscribeUrlOf(publicUrl, row, 'digest'),
    },
  )
}

type NewsList = Confirmation & { items: readonly DigestItem[]; messageName: string }

/** Instead of an email about each incident. */
export function writeNewsList(news: NewsList): Mail {
  const { row, association, publicUrl, items, messageName } = news
  const title = `${association.name}: ${counted(items.length, 'update')}`
  return toMail(
    { to: row.email, association, publicUrl },
    { subject: title, heading: title, parts: listItems(news, false) },
    {
      message: `news.${row.map_id}.${row.id}.${messageName}`,
      unsubscribeUrl: unsubscribeUrlOf(publicUrl, row),
    },
  )
}

type Items = Confirmation & { items: readonly DigestItem[] }

function listItems({ row, association, publicUrl, why, items }: Items, hasMore: boolean): MailPart[] {
  function listOf(heading: string, isNew: boolean): MailPart[] {
    const list = items
      .filter((item) => item.isNew === isNew)
      .map(({ id, name, standing }) => ({
        text: standing.work === null ? name : `${name} ${workInWords[standing.work]}`,
        url: incidentUrl(publicUrl, row.map_id, id),
      }))
    return list.length === 0 ? [] : [{ heading, list }]
  }
  return [
    ...listOf('New', true),
    ...listOf('Progress', false),
    ...(hasMore ? [{ text: 'There is more news on the map.' }] : []),
    manage(publicUrl, row, association, why),
  ]
}

type Notice = Confirmation & { notice: Pick<NoticesTable, 'id' | 'subject' | 'message'> }

export function writeNotice({ row, association, publicUrl, why, notice }: Notice): Mail {
  const parts = notice.message.split(/\n{2,}/).map((text) => ({ text }))
  return toMail(
    { to: row.email, association, publicUrl },
    {
      subject: notice.subject,
      heading: notice.subject,
      parts: [...parts, manage(publicUrl, row, association, why)],
    },
    {
      message: `notice.${row.map_id}.${notice.id}.${row.id}`,
      unsubscribeUrl: unsubscribeUrlOf(publicUrl, row),
    },
  )
}
