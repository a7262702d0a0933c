import type { LandProblem } from '#domain/land-check/land-problem.ts'
import { formatArea, formatDistance, readersUnits } from '#web/ui/measures.ts'

export type Remedy = { label: string /** Keeps the common land. */; keeper?: string }

/** Land can be surrounded by many parcels. */
const maxTakers = 4

/** In words, with the ways to fix it. `names` are those of its `ids`. */
export function describeProblem(
  problem: Pick<LandProblem, 'class' | 'ids' | 'size'>,
  names: readonly string[],
): { text: string; remedies: Remedy[] } {
  const named = names.map((name) => name || 'Untitled')
  const [one = 'A record', other = one] = named
  const area = formatArea(problem.size, readersUnits())
  const length = formatDistance(problem.size, readersUnits())
  switch (problem.class) {
    case 'overlap':
      return {
        text: `${one} overlaps ${other} by ${area}`,
        remedies: problem.ids.map((keeper, index) => ({ label: `Give to ${named[index]}`, keeper })),
      }
    case 'gap':
      return {
        text: `Gap of ${area} ${names.length === 2 ? `between ${one} and ${other}` : `beside ${one}`}`,
        remedies: [{ label: 'Close gap' }],
      }
    case 'no-parcel':
      return {
        text: `${area} beside ${one} belong to no parcel`,
        remedies: problem.ids
          .slice(0, maxTakers)
          .map((keeper, index) => ({ label: `Give to ${named[index]}`, keeper })),
      }
    case 'near-corners':
      return {
        text: `Corners of ${one} and ${other} are ${length} apart`,
        remedies: [{ label: 'Join corners' }],
      }
    case 'missing-corner':
      return { text: `A corner is missing on a border of ${one}`, remedies: [{ label: 'Add corner' }] }
    case 'spike':
      return { text: `${one} has a spike`, remedies: [{ label: 'Remove spike' }] }
    case 'self-intersection':
      return { text: `The border of ${one} crosses itself`, remedies: [{ label: 'Divide' }] }
  }
}
