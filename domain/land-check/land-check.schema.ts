import { z } from 'zod'
import { featureId, instant } from '#domain/values/common.schema.ts'
import { type ProblemClass, problemClasses } from './land-problem.ts'

export const landCheckStates = ['waiting', 'checking', 'done', 'failed'] as const
export type LandCheckState = (typeof landCheckStates)[number]

export const isUnderWay = (state: LandCheckState) => state === 'waiting' || state === 'checking'

/** Above this, a check would need several minutes and gigabytes of memory. */
export const maxCheckedParcels = 200_000
/** Of each class. Fixing these finds others. */
export const maxListedProblems = 1_000

const problemClass = z.enum(Object.keys(problemClasses) as [ProblemClass, ...ProblemClass[]])

const foundProblem = z.object({
  class: problemClass,
  key: z.string().meta({ description: 'Stays the same as long as the corners concerned do' }),
  ids: z.array(featureId).meta({ description: 'Parcels concerned' }),
  names: z.array(z.string()).meta({ description: 'Names of these parcels at the time of the check' }),
  box: z.array(z.number()).length(4).meta({ description: 'West, south, east, north' }),
  size: z.number().meta({
    description: 'Square meters of an overlap or gap; meters of others; 0 of self-intersections',
  }),
  isCurrent: z.boolean().meta({ description: 'False if one of the parcels has changed since the check' }),
})
export type FoundProblem = z.infer<typeof foundProblem>

export const landCheck = z.object({
  id: z.string(),
  state: z.enum(landCheckStates),
  progress: z.number().meta({ description: 'From 0 to 1' }),
  startedAt: instant,
  finishedAt: instant.nullable(),
  isOutdated: z.boolean().meta({ description: 'True if features have changed since the check' }),
  failure: z.string().nullable().meta({ description: 'Why the check failed' }),
  parcels: z.number().int(),
  counts: z.partialRecord(problemClass, z.number().int()),
  problems: z.array(foundProblem).meta({
    description: `At most ${maxListedProblems} of each class, the largest first`,
  }),
  unchecked: z.array(z.object({ names: z.array(z.string()), reason: z.string() })),
})
export type LandCheckAnswer = z.infer<typeof landCheck>
