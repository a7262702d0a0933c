import type { ExportFormat } from '#domain/exports/export-format.ts'
import { addressWith } from './addresses.ts'
import type { FeatureQuestion, TableQuestion } from './features.api.ts'
import { sendForFile } from './http.ts'

/** What is exported: all that a list or the table shows, in its order. */
export type ExportQuestion = FeatureQuestion | TableQuestion

/** Of it only these, or all but these. */
export type ExportSelection = { ids: readonly string[] } | { except: readonly string[] }

/** `columns` are names of columns; undefined: all. */
export type ExportWish = { format: ExportFormat; columns: readonly string[] | undefined }

/** A link to it shows in the browser how far it is. */
export function exportAddress(
  mapId: string,
  question: ExportQuestion,
  { format, columns }: ExportWish,
): string {
  const path = `/api/maps/${encodeURIComponent(mapId)}/export`
  return addressWith(path, { ...question, format, columns: columns?.join(',') })
}

/** The features of a selection as a file: their ids do not fit into an address. */
export const exportSelected = (
  mapId: string,
  question: ExportQuestion,
  { wish, selection }: { wish: ExportWish; selection: ExportSelection },
) => sendForFile(exportAddress(mapId, question, wish), selection)
