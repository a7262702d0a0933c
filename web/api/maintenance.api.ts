import { queryOptions } from '@tanstack/react-query'
import type {
  CalendarState,
  DueMaintenance,
  MaintenanceEntry,
  MaintenanceLog,
  MaintenancePatch,
  NewMaintenanceEntry,
} from '#domain/maintenance/maintenance.schema.ts'
import { getJson, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const pathOf = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}`
const logPath = (mapId: string, featureId: string) =>
  `${pathOf(mapId)}/features/${encodeURIComponent(featureId)}/maintenance`
const entryPath = (mapId: string, featureId: string, entryId: string) =>
  `${logPath(mapId, featureId)}/${encodeURIComponent(entryId)}`
const calendarPath = (mapId: string) => `${pathOf(mapId)}/maintenance-calendar`

export function maintenanceQuery(mapId: string, featureId: string) {
  return queryOptions({
    queryKey: [...answerKey(mapId, 'maintenance'), featureId],
    queryFn: ({ signal }) => getJson<MaintenanceLog>(logPath(mapId, featureId), {}, signal),
  })
}

export type MaintenanceChanged = { changeId: string; version: number; entry: MaintenanceEntry | null }

export function addEntry(
  mapId: string,
  featureId: string,
  entry: NewMaintenanceEntry,
): Promise<MaintenanceChanged> {
  return sendJson('POST', logPath(mapId, featureId), { body: entry })
}

type Seen = Pick<MaintenanceEntry, 'id' | 'version'>

export function changeEntry(
  mapId: string,
  featureId: string,
  { id, version }: Seen,
  change: MaintenancePatch,
): Promise<MaintenanceChanged> {
  return sendJson('PATCH', entryPath(mapId, featureId, id), { body: change, ifMatch: version })
}

export function removeEntry(
  mapId: string,
  featureId: string,
  { id, version }: Seen,
): Promise<MaintenanceChanged> {
  return sendJson('DELETE', entryPath(mapId, featureId, id), { ifMatch: version })
}

export function dueMaintenanceQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'due'),
    queryFn: ({ signal }) => getJson<DueMaintenance>(`${pathOf(mapId)}/due-maintenance`, {}, signal),
  })
}

export function calendarQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'calendar'),
    queryFn: ({ signal }) => getJson<CalendarState>(calendarPath(mapId), {}, signal),
  })
}

/** Only this answer contains the secret address. */
export function makeCalendar(mapId: string): Promise<{ address: string }> {
  return sendJson('POST', calendarPath(mapId), { body: {} })
}

export function switchCalendarOff(mapId: string): Promise<void> {
  return sendJson('DELETE', calendarPath(mapId), {})
}
