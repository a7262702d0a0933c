// Apart from the schema: the first page reads addresses that have an outcome, and loads no zod.

export const trialOutcomes = [
  'created',
  'updated',
  'unchanged',
  'refused',
  'left-out',
  'removed-here',
  /** The feature is of an earlier edition of the files, and missing in this one. */
  'gone',
] as const
export type TrialOutcome = (typeof trialOutcomes)[number]
