import type { ImportDraft, ImportDraftState, Keeper } from '#domain/imports/import-draft.schema.ts'
import type { TrialOutcome } from '#domain/imports/trial-outcome.ts'

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
