import type { FeatureKind, FeatureStatus } from '../definition/kinds.ts'
import type { DueWord } from '../maintenance/due.ts'
import { type FilterName, type Filters, featureFilters, type SeverityWord, timeRanges } from './filters.ts'
import { kindTraits } from './kind-traits.ts'

/** Features with the same values in all filters. `time` is the shortest time range that contains their date. */
export type FeatureGroup = {
  kind: FeatureKind
  type: string | null
  status: FeatureStatus | null
  severity: SeverityWord | null
  time: NonNullable<Filters['time']> | null
  due: DueWord | null
  count: number
}

const isChosen: { [Name in FilterName]: (group: FeatureGroup, choice: string) => boolean } = {
  incidents: ({ kind, type }, choice) => kind === 'incident' && type === choice,
  assets: ({ kind, type }, choice) => kind === 'asset' && type === choice,
  time: ({ kind, time }, choice) =>
    kindTraits[kind].isDated &&
    time !== null &&
    timeRanges.indexOf(time) <= timeRanges.findIndex((range) => range === choice),
  severity: ({ severity }, choice) => severity === choice,
  status: ({ status }, choice) => status === choice,
  due: ({ due }, choice) => due === choice,
}

/** Types and dates filter only their own kinds. */
const isExempt = (name: FilterName, kind: FeatureKind) =>
  (name === 'incidents' || name === 'assets' || name === 'time') && !featureFilters[name].appliesTo(kind)

/** How many features each choice of a filter matches, while all other filters stay. */
export function countChoices(
  groups: readonly FeatureGroup[],
  counted: FilterName | 'kind',
  choices: readonly string[],
  { kind, ...filters }: Filters & { kind?: FeatureKind | undefined },
): Record<string, number> {
  const others = Object.entries(filters).filter(([name, choice]) => name !== counted && choice !== undefined)
  const matching = groups.filter(
    (group) =>
      (kind === undefined || counted === 'kind' || group.kind === kind) &&
      others.every(
        ([name, choice]) =>
          isExempt(name as FilterName, group.kind) || isChosen[name as FilterName](group, choice),
      ),
  )
  const matches =
    counted === 'kind' ? (group: FeatureGroup, choice: string) => group.kind === choice : isChosen[counted]
  const countOf = (choice: string) =>
    matching.reduce((sum, group) => sum + (matches(group, choice) ? group.count : 0), 0)
  return Object.fromEntries(choices.map((choice) => [choice, countOf(choice)]))
}
