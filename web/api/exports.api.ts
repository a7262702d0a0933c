import { queryOptions } from '@tanstack/react-query'
import {
  type BackgroundExport,
  type BackgroundExports,
  isBeingWritten,
} from '#domain/exports/background-export.schema.ts'
import type { ExportForm, ExportFormat } from '#domain/exports/export-format.ts'
import { addressWith } from './addresses.ts'
import type { FeatureQuery, TableQuery } from './features.api.ts'
import { newFileId } from './files.api.ts'
import { getJson, sendForFile, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

export type ExportQuery = FeatureQuery | TableQuery

export type ExportSelection = { ids: readonly string[] } | { except: readonly string[] }

/** Undefined `columns` means all. */
export type ExportOptions = {
  format: ExportFormat
  /** Undefined for formats without forms. */
  form: ExportForm | undefined
  columns: readonly string[] | undefined
}

/** For a link: the browser shows the progress of the download. */
export function exportAddress(
  mapId: string,
  query: ExportQuery,
  { format, form, columns }: ExportOptions,
): string {
  return addressWith(`${pathOf(mapId)}/export`, { ...query, format, form, columns: columns?.join(',') })
}

const pathOf = (mapId: string) => `/api/maps/${encodeURIComponent(mapId)}`

export const drawingsExportAddress = (mapId: string, { format, form }: Omit<ExportOptions, 'columns'>) =>
  addressWith(`${pathOf(mapId)}/drawings/export`, { format, form })

/** In words, for reading. */
export const reportsExportAddress = (mapId: string, format: 'csv' | 'xlsx') =>
  addressWith(`${pathOf(mapId)}/reports/export`, { format })

/** Sends the ids in the body: they do not fit into an address. */
export const exportSelected = (
  mapId: string,
  query: ExportQuery,
  { options, selection }: { options: ExportOptions; selection: ExportSelection },
) => sendForFile(exportAddress(mapId, query, options), selection)

const reloadMs = 1_000

export function backgroundExportsQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'background-exports'),
    queryFn: ({ signal }) => getJson<BackgroundExports>(`${pathOf(mapId)}/exports`, {}, signal),
    // Other tabs and programs may have started one.
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) =>
      !error && data?.items.some(({ state }) => isBeingWritten(state)) ? reloadMs : false,
  })
}

export function startBackgroundExport(
  mapId: string,
  { query, selection }: { query: ExportQuery; selection?: ExportSelection | undefined },
  { format, columns }: ExportOptions,
): Promise<BackgroundExport> {
  const address = addressWith(`${pathOf(mapId)}/exports`, {
    ...query,
    format,
    columns: columns?.join(','),
  })
  return sendJson('POST', address, { body: { id: newFileId(), selection } })
}

const backgroundPath = (mapId: string, id: string) => `${pathOf(mapId)}/exports/${encodeURIComponent(id)}`

export const backgroundFileAddress = (mapId: string, id: string) => `${backgroundPath(mapId, id)}/file`

export const removeBackgroundExport = (mapId: string, id: string): Promise<void> =>
  sendJson('DELETE', backgroundPath(mapId, id))
