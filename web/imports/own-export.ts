import { derivedColumns, identityColumns } from '#domain/exports/export-format.ts'
import type { FoundColumn } from '#domain/imports/import-draft.schema.ts'

export function isOwnExport(columns: readonly FoundColumn[], mapId: string): boolean {
  const examplesOf = (name: string) => columns.find((column) => column.name === name)?.examples
  if (!identityColumns.every((name) => examplesOf(name) !== undefined)) return false
  return examplesOf('mapId')?.every((example) => example === mapId) === true
}

export function wordsOfOwnColumn(name: string): string | undefined {
  if (identityColumns.some((one) => one === name)) return 'Identifies the record'
  if (name === 'metadata') return 'Imported unchanged'
  return derivedColumns.some((one) => one === name) ? 'Not imported (calculated)' : undefined
}
