import type { ImportDraft, ImportDraftState, Keeper } from '#domain/imports/import-draft.schema.ts'
import type { TrialOutcome } from '#domain/imports/import-trial.schema.ts'

export const stateWords: Record<ImportDraftState, string> = {
  receiving: 'Its files have not come whole',
  examining: 'Being looked at',
  refused: 'Cannot be imported',
  examined: 'Waits for what it is',
  trying: 'Being tried',
  tried: 'Tried, not imported yet',
  importing: 'Being imported',
  imported: 'Imported',
  undoing: 'Being taken back',
  undone: 'Taken back',
}

export const keeperLabels: Record<Keeper, string> = {
  staff: 'Kept as it is, for staff',
  everybody: 'Kept as it is, for everybody',
  nobody: 'Left out',
}

export const problemsLeftOut = `${keeperLabels.nobody} by itself`

export function nameOf({ files }: Pick<ImportDraft, 'files'>): string {
  const main = files.find(({ name }) => /\.shp$/i.test(name)) ?? files[0]
  return files.length > 1 ? `${main?.name} and ${files.length - 1} more` : (main?.name ?? 'Files')
}

export const outcomeWords: Record<TrialOutcome, string> = {
  created: 'New',
  updated: 'Changed',
  unchanged: 'The same',
  refused: 'Refused',
  'left-out': 'Left out',
  'removed-here': 'Removed here',
  gone: 'Not in the file',
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
