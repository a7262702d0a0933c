import type {
  ImportDraft,
  ImportDraftState,
  ImportOutcome,
  Keeper,
  NewerImport,
} from '#domain/imports/import-draft.schema.ts'
import type { TrialOutcome } from '#domain/imports/trial-outcome.ts'
import { capitalized, counted, formatList, formatNumber } from '#domain/values/wording.ts'
import { exactTime } from '#web/ui/relative-time.ts'

export const stateWords: Record<ImportDraftState, string> = {
  receiving: 'Upload incomplete',
  examining: 'Reading files',
  refused: 'Cannot be imported',
  examined: 'Ready to match columns',
  trying: 'Preparing preview',
  tried: 'Preview ready',
  importing: 'Importing',
  imported: 'Imported',
  undoing: 'Undoing',
  undone: 'Undone',
}

export const keeperLabels: Record<Keeper, string> = {
  staff: 'Keep for staff',
  everybody: 'Keep, public',
  nobody: 'Do not import',
}

export const defaultLabel = `${keeperLabels.staff} (automatic)`
export const problemsLeftOut = `${keeperLabels.nobody} (automatic)`

export function importName({ files }: Pick<ImportDraft, 'files'>): string {
  const main = files.find(({ name }) => /\.shp$/i.test(name)) ?? files[0]
  return files.length > 1 ? `${main?.name} and ${files.length - 1} more` : (main?.name ?? 'Files')
}

export const outcomeWords: Record<TrialOutcome, string> = {
  created: 'New',
  updated: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Skipped',
  'left-out': 'Excluded',
  'removed-here': 'Previously removed',
  gone: 'Not in file',
}

export const outcomeColors: Record<TrialOutcome, string> = {
  created: '#2f9e44',
  updated: '#e8590c',
  unchanged: '#868e96',
  refused: '#d92d20',
  'left-out': '#868e96',
  'removed-here': '#d92d20',
  gone: '#ae3ec9',
}

export function doneWords({ created, updated }: ImportOutcome): string {
  if (created + updated === 0) return 'Nothing was imported.'
  const parts = [
    ...(created > 0 ? [`${counted(created, 'record')} added`] : []),
    ...(updated > 0 ? [`${counted(updated, 'record')} changed`] : []),
  ]
  return `Import complete: ${formatList(parts)}.`
}

export function importWords({ outcome, settings }: ImportDraft): string {
  if (!outcome) return 'Import'
  const rows = outcome.created + outcome.updated
  const gone = settings.missing === 'keep' ? 0 : outcome.gone
  const what = formatList([
    ...(rows > 0 ? [`import ${counted(rows, 'row')}`] : []),
    ...(gone > 0 ? [`${settings.missing} ${counted(gone, 'record')}`] : []),
  ])
  return what === '' ? 'Nothing to import' : capitalized(what)
}

export function undoneWords({ removed, restored, kept, newer }: NonNullable<ImportDraft['undone']>): string {
  const words = `Import undone: ${counted(removed, 'record')} removed, ${formatNumber(restored)} restored.`
  const byImports = newer.map(
    (one) => ` ${formatNumber(one.features)} not undone, changed by a newer import: ${describeImport(one)}.`,
  )
  const byPeople = kept - newer.reduce((sum, { features }) => sum + features, 0)
  const rest = byPeople > 0 ? ` ${formatNumber(byPeople)} not undone, edited since the import.` : ''
  return `${words}${byImports.join('')}${rest}`
}

export const describeImport = ({ files, source, importedAt }: NewerImport) =>
  `${formatList(files) || source} (${exactTime(importedAt)})`
