import type { IncidentType } from '#domain/incidents/incident-types.ts'
import { workStateLabels } from '#domain/incidents/work-states.ts'
import { labelOfType, type ReportSettings } from '#domain/reports/report-settings.ts'
import { featureId } from '#domain/values/common.schema.ts'
import type { Database } from '../database/database.ts'
import { readNames } from '../features/lists/feature-summaries.queries.ts'
import { badParameter } from '../http/problem.ts'
import { readReportSettings } from '../reports/report-settings.queries.ts'
import type { RequestsQuery, ServiceRequest } from './open311.schema.ts'
import {
  type DuplicateRow,
  type IncidentFilter,
  type IncidentRow,
  listDuplicates,
  listIncidents,
  type Period,
  readDuplicates,
  readIncidents,
} from './requests.queries.ts'
import { requireServiceCode } from './services.ts'

// Service requests are the incidents that visitors see on the map, and reports that staff marked as duplicates of one: of
// these only the dates are public, so they repeat the incident.

const maxRequests = 1_000
const maxPeriodDays = 90
const maxPeriodMs = maxPeriodDays * 86_400_000
const maxDescription = 4_000

type Found = { incident: IncidentRow; duplicate?: DuplicateRow }
type Context = { mapId: string; agency: string; origin: string }

/** Newest first, at most 1,000. */
export async function listRequests(database: Database, context: Context, query: RequestsQuery) {
  const ids = splitList(query.service_request_id)
  if (ids) return findRequests(database, context, ids)
  const filter = readFilter(query, Date.now())
  const { mapId } = context
  const incidents = await listIncidents(database, mapId, filter, maxRequests)
  const duplicates = filter.statuses.includes('resolved')
    ? await findOriginals(database, mapId, await listDuplicates(database, mapId, filter.period, maxRequests))
    : []
  const found: Found[] = [
    ...incidents.map((incident) => ({ incident })),
    ...duplicates.filter(({ incident }) => filter.types?.includes(typeOf(incident)) ?? true),
  ]
  return toRequests(database, context, found)
}

/** Unknown ids are skipped. */
export async function findRequests(database: Database, context: Context, ids: readonly string[]) {
  const { mapId } = context
  const valid = ids.filter((id) => featureId.safeParse(id).success)
  if (valid.length > maxRequests)
    throw badParameter('query', 'service_request_id', `must be at most ${maxRequests} ids`)
  const incidents = await readIncidents(database, mapId, valid)
  const duplicates = await findOriginals(database, mapId, await readDuplicates(database, mapId, valid))
  return toRequests(database, context, [...incidents.map((incident) => ({ incident })), ...duplicates])
}

async function findOriginals(
  database: Database,
  mapId: string,
  duplicates: readonly DuplicateRow[],
): Promise<Found[]> {
  const ids = [...new Set(duplicates.flatMap(({ duplicate_of }) => duplicate_of ?? []))]
  const incidents = new Map((await readIncidents(database, mapId, ids)).map((row) => [row.id, row]))
  return duplicates.flatMap((duplicate) => {
    const incident = incidents.get(duplicate.duplicate_of ?? '')
    return incident ? [{ incident, duplicate }] : []
  })
}

function readFilter(query: RequestsQuery, now: number): IncidentFilter {
  const statuses = (splitList(query.status) ?? ['open', 'closed']).map((status) => {
    if (status === 'open') return 'unresolved'
    if (status === 'closed') return 'resolved'
    throw badParameter('query', 'status', 'must be open, closed, or both, separated by a comma')
  })
  const types = splitList(query.service_code)?.map(requireServiceCode)
  return { period: readPeriod(query, now), statuses, types }
}

function readPeriod({ start_date, end_date }: RequestsQuery, now: number): Period {
  const start = readInstant('start_date', start_date)
  const end = readInstant('end_date', end_date)
  const to = end ?? (start === undefined ? now : start + maxPeriodMs)
  const from = start ?? to - maxPeriodMs
  if (from > to) throw badParameter('query', 'start_date', 'must not be after end_date')
  if (to - from > maxPeriodMs)
    throw badParameter('query', 'start_date', `must be at most ${maxPeriodDays} days before end_date`)
  return { from, to }
}

const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

function readInstant(name: 'start_date' | 'end_date', value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  // An unescaped plus sign arrives as a space.
  const text = value.replace(' ', '+')
  const at = instantShape.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw badParameter(
      'query',
      name,
      'must be a date and time with its time zone, such as 2026-05-24T00:00:00Z',
    )
  return at
}

/** A list without any item is the same as a missing one. */
function splitList(list = ''): string[] | undefined {
  const items = new Set(list.split(',').map((item) => item.trim()))
  items.delete('')
  return items.size > 0 ? [...items] : undefined
}

const typeOf = ({ type }: IncidentRow) => (type ?? 'other') as IncidentType

const requestedAt = ({ incident, duplicate }: Found) =>
  duplicate?.made_at ?? incident.date ?? incident.created_at

async function toRequests(database: Database, context: Context, found: readonly Found[]) {
  const listed = found.toSorted((a, b) => requestedAt(b) - requestedAt(a)).slice(0, maxRequests)
  const parcelIds = new Set(listed.flatMap(({ incident }) => incident.parcel_id ?? []))
  const parcels = await readNames(database.read, context.mapId, 'parcel', [...parcelIds])
  const { settings } = await readReportSettings(database.read, context.mapId)
  return listed.map((one) => toRequest(one, context, { settings, parcels }))
}

function toRequest(
  found: Found,
  { mapId, agency, origin }: Context,
  { settings, parcels }: { settings: ReportSettings; parcels: ReadonlyMap<string, string> },
): ServiceRequest {
  const { incident, duplicate } = found
  const type = typeOf(incident)
  const address = parcels.get(incident.parcel_id ?? '') ?? null
  const isClosed = duplicate !== undefined || incident.status === 'resolved'
  const closedAt = incident.resolved_date === null ? Number.NaN : Date.parse(incident.resolved_date)
  const updatedAt = isClosed && !Number.isNaN(closedAt) ? closedAt : incident.updated_at
  const photo = incident.photo_id
  return {
    service_request_id: duplicate?.id ?? incident.id,
    status: isClosed ? 'closed' : 'open',
    status_notes: duplicate ? `Duplicate of ${incident.id}` : statusNotesOf(incident),
    service_name: labelOfType(settings, type),
    service_code: type,
    description: joinLines([incident.name, incident.description]),
    agency_responsible: agency,
    service_notice: null,
    requested_datetime: toDate(requestedAt(found)),
    updated_datetime: toDate(duplicate ? (duplicate.decided_at ?? duplicate.made_at) : updatedAt),
    expected_datetime: null,
    address,
    address_id: address === null ? null : incident.parcel_id,
    zipcode: null,
    lat: incident.lat,
    long: incident.lng,
    media_url: photo === null ? null : `${origin}/api/maps/${mapId}/files/${photo}/large`,
  }
}

const statusNotesOf = ({ work_state: state, note }: IncidentRow) =>
  joinLines([state === null ? '' : workStateLabels[state], note ?? ''])

const joinLines = (lines: readonly string[]) =>
  lines
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, maxDescription)
    .toWellFormed() || null

const toDate = (at: number) => new Date(at).toISOString()
