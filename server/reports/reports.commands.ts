import { randomUUID } from 'node:crypto'
import { noRole } from '#domain/access/access.ts'
import type { Person } from '#domain/access/session.schema.ts'
import type { ActivityAction } from '#domain/activity/activity-rules.ts'
import { featureName } from '#domain/features/definitions.ts'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import type {
  NewReport,
  ReportChange,
  ReportDecision,
  StaffReportChange,
} from '#domain/reports/report.schema.ts'
import { isChangeable } from '#domain/reports/report-states.ts'
import type { NewComment } from '#domain/work/work.schema.ts'
import { type Actor, insertActivity } from '../activity/activity.queries.ts'
import type { Database, WriteTransaction } from '../database/database.ts'
import type { ReportsTable } from '../database/tables.ts'
import {
  ConflictError,
  type Expectation,
  expectVersion,
  NotFoundError,
  RefusedError,
} from '../domain-error.ts'
import { changeFeaturesIn } from '../features/changes/change-features.commands.ts'
import { parcelFinder } from '../features/changes/parcel-at.queries.ts'
import { readRemoved } from '../features/history/feature-history.queries.ts'
import { toNewFeature } from '../features/rows/feature-row.ts'
import { readRowsOf } from '../features/rows/feature-rows.queries.ts'
import { readFilesOf, updateFile } from '../files/files.queries.ts'
import { queueReportNews } from '../mail/queue-news.queries.ts'
import { lockOpenMap, requireOpenMapIn } from '../maps/maps.queries.ts'
import { countNotesFrom } from '../work/notes.queries.ts'
import { addNote } from '../work/work.commands.ts'
import { hashOfKey } from './report-keys.ts'
import { insertReport, lockReport, nextReportNumber, readReport, updateReport } from './reports.queries.ts'

type Key = { mapId: string; id: string }
type Operation = Parameters<typeof changeFeaturesIn>[3][number]

/** Reporters have no account. Their uploads belong to the report. */
export const reporterOf = (id: string): Person => ({ id: `report:${id}`, name: resident.name, roles: noRole })

const resident: Actor = { id: null, name: 'A resident' }

/** Idempotent: a repeated request returns the existing report. `comment` is for staff. */
export async function addReport(
  database: Database,
  mapId: string,
  { key, place, secondsAgo, ...input }: NewReport,
  comment = '',
): Promise<ReportsTable> {
  const title = await proposeTitle(database, mapId, { ...input, place })
  return database.write(async (transaction) => {
    await lockOpenMap(database, transaction, mapId)
    const { id } = input
    const current = await readReport(transaction, { mapId, id })
    if (current?.key_hash === hashOfKey(key)) return current
    if (current || (await readRowsOf(transaction, mapId, [id])).size > 0)
      throw new ConflictError('This id belongs to another report.')
    if (input.sameAs !== null) await requireIncident(transaction, mapId, input.sameAs, 'sameAs')
    const now = Date.now()
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
    }
    await insertReport(transaction, row)
    await note(transaction, row, 'report.received', resident)
    if (comment !== '')
      await addNote(transaction, { mapId, incidentId: id }, commentWith(randomUUID(), comment))
    await queueReportNews(transaction, { mapId, incidentIds: [id] }, now, 0)
    return row
  })
}

/** The type and the place, such as 'Fallen tree, Lot 12'. Staff can change it. */
async function proposeTitle(
  database: Database,
  mapId: string,
  { type, place, assetId }: Pick<NewReport, 'type' | 'place' | 'assetId'>,
): Promise<string> {
  const { read } = database
  const asset = assetId === null ? undefined : (await readRowsOf(read, mapId, [assetId])).get(assetId)
  if (assetId !== null && asset?.kind !== 'asset')
    throw new RefusedError('assetId', 'does not exist on this map. Report the location only')
  const where = asset?.name ?? (await nameParcelAt(database, mapId, place))
  return [incidentTypeLabels[type], where].filter(Boolean).join(', ')
}

export async function nameParcelAt(database: Database, mapId: string, place: LatLng): Promise<string | null> {
  const parcel = await parcelFinder(database, database.read, mapId).find(place)
  return parcel === 'not examined' ? null : (parcel?.name ?? null)
}

/** Allowed for an hour, until staff decide. */
export function changeOwnReport(
  database: Database,
  { mapId, id }: Key,
  change: ReportChange | 'withdraw',
): Promise<ReportsTable> {
  return database.write(async (transaction) => {
    const row = await requireReport(database, transaction, { mapId, id })
    if (change === 'withdraw' && row.state === 'withdrawn') return row
    const createdAt = new Date(row.created_at).toISOString()
    if (!isChangeable({ state: row.state, createdAt }, Date.now()))
      throw new ConflictError(
        row.state === 'new'
          ? 'Reports can be changed for one hour. Contact the association instead.'
          : 'This report has been reviewed and can no longer be changed.',
      )
    if (change === 'withdraw')
      return update(transaction, row, { state: 'withdrawn', email: null }, ['report.withdrawn', resident])
    const changed = await update(transaction, row, columnsOf(change), ['report.changed', resident])
    if (change.email) await queueReportNews(transaction, { mapId, incidentIds: [id] }, Date.now(), 0)
    return changed
  })
}

/** Idempotent. */
export function endEmails(database: Database, { mapId, id }: Key): Promise<ReportsTable> {
  return database.write(async (transaction) => {
    const row = await requireReport(database, transaction, { mapId, id })
    if (row.email === null) return row
    return update(transaction, row, { email: null }, ['report.changed', resident])
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
    // The map is not locked: a change locks features before the map.
    await requireOpenMapIn(transaction, mapId)
    const row = await requireReport(database, transaction, { mapId, id })
    if (row.state === 'withdrawn') throw new ConflictError('You have withdrawn this report.')
    if ((await countNotesFrom(transaction, { mapId, incidentId: id }, 'reporter')) >= maxComments)
      throw new ConflictError(
        `A report can have at most ${maxComments} comments. Contact the association instead.`,
      )
    await addNote(transaction, { mapId, incidentId: id }, commentWith(comment.id, comment.text.trim()))
    return row
  })
}

const commentWith = (id: string, text: string) =>
  ({ id, source: 'reporter', actor: resident, text, state: null, isPublic: false }) as const

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

/** Accepting a report adds its incident to the map. Any other state removes it. */
export function decideReport(
  database: Database,
  { mapId, id, person, isExpected }: Key & { person: Person; isExpected: Expectation },
  { state, publicNote, duplicateOf, publishesPhotos }: ReportDecision,
): Promise<ReportsTable> {
  return database.write(async (transaction) => {
    const row = await requireReport(database, transaction, { mapId, id })
    expectVersion(isExpected, row.version, `Report ${row.number}`)
    if (row.state === 'withdrawn') throw new ConflictError('The reporter has withdrawn this report.')
    if (duplicateOf === id) throw new RefusedError('duplicateOf', 'must be another incident')
    if (duplicateOf !== null) await requireIncident(transaction, mapId, duplicateOf, 'duplicateOf')
    const decision = {
      state,
      public_note: publicNote,
      duplicate_of: duplicateOf,
      decided_by: state === 'new' ? null : person.name,
      decided_at: state === 'new' ? null : Date.now(),
    }
    const moved = await moveIncident(database, transaction, { row, person, state, publishesPhotos })
    const decided = await update(transaction, row, { ...moved, ...decision }, ['report.decided', person])
    await queueReportNews(transaction, { mapId, incidentIds: [id] }, Date.now())
    return decided
  })
}

async function requireIncident(
  transaction: WriteTransaction,
  mapId: string,
  id: string,
  field: 'sameAs' | 'duplicateOf',
) {
  const row = (await readRowsOf(transaction, mapId, [id])).get(id)
  if (row?.kind !== 'incident') throw new RefusedError(field, 'must be an incident on this map')
}

type Move = { row: ReportsTable; person: Person } & Pick<ReportDecision, 'state' | 'publishesPhotos'>

/** Returns the columns that follow from it: the report takes over changes of its incident. */
async function moveIncident(
  database: Database,
  transaction: WriteTransaction,
  { row, person, state, publishesPhotos }: Move,
): Promise<Partial<ReportsTable>> {
  const { map_id: mapId, id } = row
  const change = { mapId, person, changeId: randomUUID() }
  const make = (operation: Operation) => changeFeaturesIn(database, transaction, change, [operation])
  const current = (await readRowsOf(transaction, mapId, [id])).get(id)
  if (state === 'accepted') {
    if (publishesPhotos) await publishPhotos(transaction, row)
    if (current) return {}
    // Its history continues, if it was on the map before.
    const isRemoved = (await readRemoved(transaction, mapId, [id])).has(id)
    if (isRemoved) await make({ action: 'restore', id })
    const operation: Operation = isRemoved
      ? { action: 'change', id, isExpected: () => true, change: incidentOf(row) }
      : { action: 'add', feature: { kind: 'incident', id, mapId, ...incidentOf(row) } }
    await changeFeaturesIn(database, transaction, { ...change, changeId: randomUUID() }, [operation])
    return {}
  }
  if (!current) return {}
  await make({ action: 'remove', id, isExpected: () => true })
  const incident = toNewFeature(current)
  if (incident.kind !== 'incident') return {}
  const { description, type, severity } = incident
  return {
    title: featureName(incident),
    description,
    type: type ?? row.type,
    severity,
    lng: current.lng,
    lat: current.lat,
  }
}

const incidentOf = ({ title, description, type, severity, lng, lat, made_at }: ReportsTable) => ({
  title,
  description,
  type,
  severity,
  date: new Date(made_at).toISOString(),
  geometry: { type: 'Point' as const, coordinates: [lng, lat] as [number, number] },
})

async function publishPhotos(transaction: WriteTransaction, { map_id: mapId, id }: ReportsTable) {
  const files = await readFilesOf(transaction, mapId, id)
  for (const file of files)
    if (file.is_public === 0 && file.removed_at === null && file.kind === 'photo')
      await updateFile(transaction, { mapId, id: file.id }, { is_public: 1, version: file.version + 1 })
}

async function requireReport(database: Database, transaction: WriteTransaction, key: Key) {
  const row = await lockReport(database, transaction, key)
  if (!row) throw new NotFoundError(`Map ${key.mapId} has no report ${key.id}.`)
  return row
}

type Noted = readonly [action: ActivityAction, actor: Actor]

async function update(
  transaction: WriteTransaction,
  row: ReportsTable,
  columns: Partial<ReportsTable>,
  [action, actor]: Noted,
): Promise<ReportsTable> {
  const changed = { ...row, ...columns, version: row.version + 1 }
  await updateReport(transaction, { mapId: row.map_id, id: row.id }, { ...columns, version: changed.version })
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
