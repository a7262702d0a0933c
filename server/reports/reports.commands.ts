import { randomBytes, randomUUID } from 'node:crypto'
import { noRole } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import type {
  NewReport,
  ReportChange,
  ReportDecision,
  StaffReportChange,
} from '#domain/reports/report.schema.ts'
import { labelOfType, type Publication, publicationWith } from '#domain/reports/report-settings.ts'
import { isChangeable } from '#domain/reports/report-states.ts'
import type { NewComment } from '#domain/work/work.schema.ts'
import { type Actor, insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { MergesTable, ReportsTable } from '../database/tables.ts'
import {
  ConflictError,
  type Expectation,
  expectVersion,
  NotFoundError,
  RefusedError,
} from '../domain-error.ts'
import { parcelFinder } from '../features/changes/parcel-at.queries.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { wasFeature } from '../features/rows/ids-in-use.queries.ts'
import { newsDelayMs, queueReportNews, queueStaffNews } from '../mail/queue-news.queries.ts'
import { lockOpenMap } from '../maps/maps.queries.ts'
import { readToday } from '../maps/time-zone.queries.ts'
import { followMerges, placeItem } from '../merges/merges.queries.ts'
import { countCommentsOf, readNote } from '../work/notes.queries.ts'
import { addNote } from '../work/work.commands.ts'
import { endMerge, mergeIn, previousOf, readPrevious, requireIncident, unmerge } from './merge.commands.ts'
import { moveIncident, publishPhotos } from './move-incident.commands.ts'
import { hashOfEmail, hashOfKey } from './report-keys.ts'
import { readReportSettings } from './report-settings.queries.ts'
import {
  insertReport,
  lockReport,
  lockReportToMerge,
  nextReportNumber,
  readReport,
  updateReport,
} from './reports.queries.ts'

type Key = { mapId: string; id: string }

/** Reporters have no account. Their uploads belong to the report. */
export const reporterOf = (id: string): Person => ({ id: `report:${id}`, name: resident.name, roles: noRole })

export const resident: Actor = { id: null, name: 'A resident' }

/** `isHeld`: it waits for review whatever the settings say. */
type Arrival = { mapId: string; sendsMail: boolean; isHeld?: boolean; sender?: string | null }

/** Idempotent: a repeated request returns the existing report. `comment` is for staff. */
export async function addReport(
  database: Database,
  { mapId, sendsMail, isHeld = false, sender = null }: Arrival,
  { key, place, secondsAgo, ...input }: NewReport,
  comment = '',
): Promise<ReportsTable> {
  await requireAsset(database, mapId, input.assetId)
  const title = await generateTitle(database, mapId, { ...input, place })
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const { id } = input
    const current = await readReport(transaction, { mapId, id })
    if (current?.key_hash === hashOfKey(key)) return current
    if (current) throw new ConflictError('This id belongs to another report.')
    if (await wasFeature(transaction, mapId, id))
      throw new ConflictError('The map has or had a feature with this id. Choose a random one.')
    if (input.sameAs !== null) await requireIncident(transaction, { mapId, id: input.sameAs }, 'sameAs')
    const now = Date.now()
    const { settings } = await readReportSettings(transaction, mapId)
    // Staff decide whether it is the same problem.
    const publication: Publication =
      input.sameAs === null && !isHeld ? publicationWith(settings.publication, sendsMail) : 'review'
    const row: ReportsTable = {
      map_id: mapId,
      id,
      number: await nextReportNumber(transaction, mapId),
      key_hash: hashOfKey(key),
      state: 'new',
      title,
      description: input.description,
      type: input.type,
      severity: null,
      ...place,
      accuracy_meters: input.accuracyMeters,
      asset_id: input.assetId,
      email: input.email,
      public_note: '',
      duplicate_of: input.sameAs,
      made_at: now - secondsAgo * 1_000,
      created_at: now,
      decided_by: null,
      decided_at: null,
      version: 1,
      mailed: null,
      mail_problem: null,
      publication,
      email_secret: secretOf(input.email),
      same_as: input.sameAs,
      original_description: null,
      sender,
      delays: null,
      email_changes: 0,
      ended_emails: '',
    }
    await insertReport(transaction, row)
    await note(transaction, row, 'report.received', resident)
    if (comment !== '')
      await addNote(transaction, { mapId, incidentId: id }, commentWith(id, randomUUID(), comment))
    // Its publication follows at once, with its own news.
    if (publication !== 'immediate') await queueReportNews(transaction, { mapId, incidentIds: [id] }, now, 0)
    return row
  })
}

const secretOf = (email: string | null) => (email === null ? null : randomBytes(32).toString('hex'))

const withoutEmail = { email: null, email_secret: null }

/** The type and the place, such as 'Fallen tree, Lot 12'. Staff can change it. */
async function generateTitle(
  database: Database,
  mapId: string,
  { type, place, assetId }: Pick<NewReport, 'type' | 'place' | 'assetId'>,
): Promise<string> {
  const { read } = database
  const asset = await readAsset(database, mapId, assetId)
  const where = asset?.name ?? (await nameParcelAt(database, mapId, place))
  const { settings } = await readReportSettings(read, mapId)
  return [labelOfType(settings, type), where].filter(Boolean).join(', ')
}

async function readAsset({ read }: Database, mapId: string, id: string | null) {
  const row = id === null ? undefined : (await readRowsOf(read, mapId, [id])).get(id)
  return row?.kind === 'asset' ? row : undefined
}

async function requireAsset(database: Database, mapId: string, id: string | null) {
  if (id !== null && !(await readAsset(database, mapId, id)))
    throw new RefusedError('assetId', 'does not exist on this map. Report the location only')
}

export async function nameParcelAt(database: Database, mapId: string, place: LatLng): Promise<string | null> {
  const parcel = await parcelFinder(database, database.read, mapId).find(place)
  return parcel === 'not examined' ? null : (parcel?.name ?? null)
}

/** Allowed for an hour, until staff decide. */
export async function changeOwnReport(
  database: Database,
  { mapId, id }: Key,
  change: ReportChange | 'withdraw',
): Promise<ReportsTable> {
  const current = await readReport(database.read, { mapId, id })
  const titles = current && change !== 'withdraw' ? await titlesOf(database, current, change) : undefined
  return database.write(async (transaction) => {
    const row = await requireReport(database, transaction, { mapId, id })
    if (change === 'withdraw' && row.state === 'withdrawn') return row
    const createdAt = new Date(row.created_at).toISOString()
    if (!isChangeable({ state: row.state, createdAt }, Date.now()))
      throw new ConflictError(
        row.state === 'new'
          ? 'Reports can be changed for one hour. Contact the association instead.'
          : 'This report has been reviewed or published and can no longer be changed.',
      )
    if (change === 'withdraw') {
      await queueStaffNews(transaction, { mapId, reportIds: [id] }, Date.now())
      return update(transaction, row, { state: 'withdrawn', ...withoutEmail }, ['report.withdrawn', resident])
    }
    const columns = {
      ...columnsOf(change),
      ...emailColumnsOf(row, change),
      ...(isMoved(row, change) ? { asset_id: null } : {}),
      // Staff may have written another one.
      ...(titles && row.title === titles.previous ? { title: titles.next } : {}),
    }
    const changed = await update(transaction, row, columns, ['report.changed', resident])
    const delayMs = isNewEmail(row, change) ? 0 : newsDelayMs
    if (isMailedAgain(row, change))
      await queueReportNews(transaction, { mapId, incidentIds: [id] }, Date.now(), delayMs)
    return changed
  })
}

const isMoved = ({ lat, lng }: ReportsTable, { place }: ReportChange) =>
  place !== undefined && (place.lat !== lat || place.lng !== lng)

/** The generated titles before and after a change. */
async function titlesOf(database: Database, row: ReportsTable, change: ReportChange) {
  const { map_id: mapId, type, lat, lng, asset_id: assetId } = row
  const before = { type, place: { lat, lng }, assetId }
  const previous = await generateTitle(database, mapId, before)
  const { type: nextType = type, place = before.place } = change
  const after = { type: nextType, place, assetId: isMoved(row, change) ? null : assetId }
  return { previous, next: await generateTitle(database, mapId, after) }
}

const isNewEmail = (row: ReportsTable, { email }: ReportChange) => email !== undefined && email !== row.email

/** Whether the reporter, or a stranger whose address was entered, gets another first message. */
export const isMailedAgain = (row: ReportsTable, change: ReportChange): boolean =>
  isNewEmail(row, change) ? change.email !== null : isAwaitingConfirmation(row) && isOther(row, change)

export const isAwaitingConfirmation = ({ state, publication, email_secret }: ReportsTable): boolean =>
  state === 'new' && publication === 'confirmed' && email_secret !== null

const isOther = (row: ReportsTable, change: ReportChange) =>
  Object.entries(columnsOf(change)).some(([column, value]) => row[column as keyof ReportsTable] !== value)

/** More are a mistake or an attack: each sends an email. */
const maxEmailChanges = 3

/** The new address gets the first message. A confirmation publishes only what its email shows. */
function emailColumnsOf(row: ReportsTable, change: ReportChange): Partial<ReportsTable> {
  const { email } = change
  if (email === undefined || !isNewEmail(row, change))
    return isMailedAgain(row, change) ? { email_secret: secretOf(row.email) } : {}
  if (email !== null && row.email_changes >= maxEmailChanges)
    throw new ConflictError(
      `The email address of a report can be changed ${maxEmailChanges} times. Contact the association instead.`,
    )
  if (email !== null && row.ended_emails.split(' ').includes(hashOfEmail(row, email)))
    throw new ConflictError(
      'The emails about this report to this address were ended. Enter another address, or keep the link of the report.',
    )
  return {
    email_secret: secretOf(email),
    email_changes: row.email_changes + 1,
    mailed: null,
    mail_problem: null,
  }
}

/** Idempotent. */
export function endEmails(database: Database, { mapId, id }: Key): Promise<ReportsTable> {
  return database.write(async (transaction) => {
    const row = await requireReport(database, transaction, { mapId, id })
    if (row.email === null) return row
    const ended = [row.ended_emails, hashOfEmail(row, row.email)].join(' ').trim()
    return update(transaction, row, { ...withoutEmail, ended_emails: ended }, ['report.changed', resident])
  })
}

/** More comments are a mistake or an attack. */
const maxComments = 20

/** For staff, until they publish it. */
export function addComment(
  database: Database,
  { mapId, id }: Key,
  comment: NewComment,
): Promise<ReportsTable> {
  return database.write(async (transaction) => {
    const row = await requireReport(database, transaction, { mapId, id })
    await lockOpenMap(database, transaction, mapId)
    if (row.state === 'withdrawn') throw new ConflictError('You have withdrawn this report.')
    const current = await readNote(transaction, { mapId, id: comment.id })
    if (!current && (await countCommentsOf(transaction, { mapId, id })) >= maxComments)
      throw new ConflictError(
        `A report can have at most ${maxComments} comments. Contact the association instead.`,
      )
    const item = { kind: 'note', item_id: comment.id, list_order: 0 } as const
    const incidentId = current?.incident_id ?? (await placeItem(transaction, { mapId, id }, item))
    await addNote(transaction, { mapId, incidentId }, commentWith(id, comment.id, comment.text.trim()))
    return row
  })
}

const commentWith = (reportId: string, id: string, text: string) =>
  ({ id, source: 'reporter', actor: resident, text, state: null, isPublic: false, reportId }) as const

export function changeReport(
  database: Database,
  { mapId, id, person, isExpected }: Key & { person: Person; isExpected: Expectation },
  change: StaffReportChange,
): Promise<ReportsTable> {
  return database.write(async (transaction) => {
    const row = await requireReport(database, transaction, { mapId, id })
    expectVersion(isExpected, row.version, `Report ${row.number}`)
    if (row.state === 'accepted')
      throw new ConflictError('This report is on the map. Change its incident instead.')
    return update(transaction, row, columnsOf(change), ['report.changed', person])
  })
}

function columnsOf({ place, ...change }: ReportChange & StaffReportChange): Partial<ReportsTable> {
  return { ...change, ...place }
}

/** Accepting a report adds its incident to the map. Any other state removes it. A duplicate is merged. */
export async function decideReport(
  database: Database,
  { mapId, id, person, isExpected }: Key & { person: Person; isExpected: Expectation },
  decision: ReportDecision,
): Promise<ReportsTable> {
  const today = await readToday(database, mapId)
  return database.write(async (transaction) => {
    const row = await lockReportToMerge(database, transaction, { mapId, id })
    if (!row) throw missing({ mapId, id })
    expectVersion(isExpected, row.version, `Report ${row.number}`)
    if (row.state === 'withdrawn') throw new ConflictError('The reporter has withdrawn this report.')
    if (decision.duplicateOf === id) throw new RefusedError('duplicateOf', 'must be another incident')
    const deciding = { row, person, today, field: 'duplicateOf' }
    return decideReportIn(database, transaction, deciding, decision)
  })
}

export type Deciding = { row: ReportsTable; person: Person; today: string; field: string }

/** Call it while the report is locked. `field` is named in errors about the duplicate. */
export async function decideReportIn(
  database: Database,
  transaction: WriteTransaction,
  { row, person, today, field }: Deciding,
  { state, publicNote, duplicateOf, publishesPhotos }: ReportDecision,
): Promise<ReportsTable> {
  const { map_id: mapId, id } = row
  const isSame = state === 'duplicate' && row.state === state && row.duplicate_of === duplicateOf
  const merge = isSame ? undefined : await endMerge(transaction, { mapId, id })
  const moved = await moveIncident(database, transaction, { row, person, today, state })
  await lockOpenMap(database, transaction, mapId)
  if (merge) await unmerge(transaction, merge, person)
  if (state === 'accepted' && publishesPhotos) await publishPhotos(transaction, row)
  const current = { ...row, ...moved }
  if (duplicateOf !== null && !isSame)
    await mergeIn(transaction, sourceOf(current, merge), { target: duplicateOf, field, person })
  const before = merge && readPrevious(merge)
  const named = state === 'new' && row.same_as !== null ? { mapId, id: row.same_as } : null
  const decision = {
    state,
    duplicate_of: named ? (await followMerges(transaction, named)).remaining : duplicateOf,
    ...(before?.state === state ? before : byNow(state, person)),
    public_note: publicNote,
    publication: 'review' as const,
  }
  const decided = await update(transaction, row, { ...moved, ...decision }, ['report.decided', person])
  const areNotesOld = merge !== undefined || (duplicateOf !== null && !isSame)
  await queueReportNews(transaction, { mapId, incidentIds: [id], areNotesOld }, Date.now())
  return decided
}

const byNow = (state: ReportDecision['state'], { name }: Person) =>
  state === 'new' ? { decided_by: null, decided_at: null } : { decided_by: name, decided_at: Date.now() }

const sourceOf = (report: ReportsTable, earlier: MergesTable | undefined) => ({
  mapId: report.map_id,
  id: report.id,
  title: report.title,
  description: report.description,
  madeAt: report.made_at,
  previous: (earlier && readPrevious(earlier)) ?? previousOf(report),
})

export async function requireReport(database: Database, transaction: WriteTransaction, key: Key) {
  const row = await lockReport(database, transaction, key)
  if (!row) throw missing(key)
  return row
}

const missing = ({ mapId, id }: Key) => new NotFoundError(`Map ${mapId} has no report ${id}.`)

type Noted = readonly [action: ActivityAction, actor: Actor]

export async function update(
  transaction: WriteTransaction,
  row: ReportsTable,
  columns: Partial<ReportsTable>,
  [action, actor]: Noted,
): Promise<ReportsTable> {
  const isByStaff = actor.id !== null && columns.description !== undefined
  const isEdited = isByStaff && columns.description !== row.description
  const original = isEdited ? { original_description: row.original_description ?? row.description } : {}
  const written = { ...columns, ...original, version: row.version + 1 }
  const changed = { ...row, ...written }
  await updateReport(transaction, { mapId: row.map_id, id: row.id }, written)
  await note(transaction, changed, action, actor)
  return changed
}

/** Names neither the description nor the reporter, which are personal. */
function note(
  transaction: WriteTransaction,
  { map_id: mapId, id: subject, number, title, state }: ReportsTable,
  action: ActivityAction,
  actor: Actor,
) {
  const details = { number, name: title, state }
  return insertActivity(transaction, { mapId, action, actor, subject, details }, Date.now())
}
