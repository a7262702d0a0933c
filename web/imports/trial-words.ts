import type { TrialOutcome } from '#domain/imports/import-trial.schema.ts'

export const outcomeWords: Record<TrialOutcome, string> = {
  created: 'New',
  updated: 'Changed',
  unchanged: 'The same',
  refused: 'Refused',
  'left-out': 'Left out',
  'removed-here': 'Removed here',
  gone: 'Not in the file',
}

/** For the map and the table, on light and dark backgrounds. */
export const outcomeColors: Record<TrialOutcome, string> = {
  created: '#2f9e44',
  updated: '#e8590c',
  unchanged: '#868e96',
  refused: '#d92d20',
  'left-out': '#868e96',
  'removed-here': '#d92d20',
  gone: '#ae3ec9',
}
