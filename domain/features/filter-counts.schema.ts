import { z } from 'zod'
import { featureKinds, featureStatuses } from '../definition/kinds.ts'
import { dueWords } from '../maintenance/due.ts'
import type { FeatureGroup } from './filter-counts.ts'
import { columnFilters, timeRanges } from './filters.ts'

const ranges = timeRanges.filter((range) => range !== 'all')

export const featureGroup: z.ZodType<FeatureGroup> = z.object({
  kind: z.enum(featureKinds),
  type: z.string().nullable(),
  status: z.enum(featureStatuses).nullable(),
  severity: z.enum(columnFilters.severity).nullable(),
  time: z.enum(ranges).nullable().meta({ description: 'The shortest range that contains the date' }),
  due: z.enum(dueWords).nullable().meta({ description: 'For staff; null for others' }),
  count: z.number().int().min(1),
})

export const filterCounts = z.object({
  groups: z.array(featureGroup).nullable().meta({
    description: 'Null for maps with more features than can be counted at once',
  }),
})
export type FilterCounts = z.infer<typeof filterCounts>
