import type { TrialOutcome } from '#domain/imports/import-trial.schema.ts'

/** What would become of a row. */
export const outcomeWords: Record<TrialOutcome, string> = {
  created: 'New',
  updated: 'Changed',
  unchanged: 'The same',
  refused: 'Refused',
  'left-out': 'Left out',
  'removed-here': 'Removed here',
  gone: 'Not in the file',
}

/** On the map and in the table, on light and dark ground. */
export const outcomeColors: Record<TrialOutcome, string> = {
  created: '#2f9e44',
  updated: '#e8590c',
  unchanged: '#868e96',
  refused: '#d92d20',
  'left-out': '#868e96',
  'removed-here': '#d92d20',
  gone: '#ae3ec9',
}
