// No schema library: the page needs it.

export const maxNote = 2_000

/** Who writes notes on incidents. The labels are for readers who do not see names. */
export const noteSourceLabels = {
  staff: 'Association',
  reporter: 'Reporter',
  contractor: 'Contractor',
} as const
export type NoteSource = keyof typeof noteSourceLabels
export const noteSources = Object.keys(noteSourceLabels) as [NoteSource, ...NoteSource[]]

export const workViewLabels = {
  all: 'All open work',
  mine: 'Assigned to me',
  unassigned: 'Unassigned',
  overdue: 'Overdue',
} as const
export type WorkView = keyof typeof workViewLabels
export const workViews = Object.keys(workViewLabels) as [WorkView, ...WorkView[]]
