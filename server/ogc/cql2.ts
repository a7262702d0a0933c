import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { meetingWith } from '#domain/geometry/meeting-geometries.ts'
import { foldCase } from '#domain/values/text.ts'
import type { PatternPart } from '../database/database.ts'

// Parsed CQL2 filters (OGC 21-065r2) and their evaluation in memory. cql2-condition.queries.ts does the same
// in SQL.

/** Days are text, YYYY-MM-DD; instants are epoch milliseconds. */
export type ValueType = 'text' | 'number' | 'flag' | 'day' | 'instant'
type Value = string | number | boolean | null

export type Comparison = '=' | '<>' | '<' | '>' | '<=' | '>='

export type Scalar =
  | { is: 'property'; name: string; type: ValueType }
  | { is: 'fixed'; value: string | number | boolean; type: ValueType }
  | { is: 'folded'; of: Scalar; type: 'text' }

export type Cql2 =
  | { is: 'fixed'; value: boolean }
  | { is: 'and' | 'or'; of: readonly Cql2[] }
  | { is: 'not'; of: Cql2 }
  | { is: 'null'; of: Scalar }
  | { is: Comparison; left: Scalar; right: Scalar }
  | { is: 'in'; of: Scalar; values: readonly Scalar[] }
  | { is: 'like'; of: Scalar; pattern: readonly PatternPart[] }
  | { is: 'meets'; geometries: readonly Geometry[] }

export type FilterInput = { values: Readonly<Record<string, unknown>>; geometry: Geometry }

/** Three-valued logic as in SQL: a comparison with null is null, and so is its negation. */
export function evaluate(filter: Cql2, input: FilterInput): boolean | null {
  switch (filter.is) {
    case 'fixed':
      return filter.value
    case 'and':
    case 'or': {
      const deciding = filter.is === 'or'
      const answers = filter.of.map((one) => evaluate(one, input))
      if (answers.includes(deciding)) return deciding
      return answers.includes(null) ? null : !deciding
    }
    case 'not': {
      const answer = evaluate(filter.of, input)
      return answer === null ? null : !answer
    }
    case 'null':
      return read(filter.of, input) === null
    case 'in':
      return evaluate(
        { is: 'or', of: filter.values.map((right) => ({ is: '=', left: filter.of, right })) },
        input,
      )
    case 'like': {
      const text = read(filter.of, input)
      return text === null ? null : isLike(String(text), filter.pattern)
    }
    case 'meets':
      return filter.geometries.some((geometry) => meetingWith(geometry)(input.geometry))
    default:
      return compare(filter.is, read(filter.left, input), read(filter.right, input))
  }
}

function read(scalar: Scalar, input: FilterInput): Value {
  if (scalar.is === 'fixed') return scalar.value
  if (scalar.is === 'property') return (input.values[scalar.name] ?? null) as Value
  const text = read(scalar.of, input)
  return text === null ? null : foldCase(String(text))
}

function compare(operator: Comparison, left: Value, right: Value): boolean | null {
  if (left === null || right === null) return null
  const order =
    typeof left === 'string' && typeof right === 'string'
      ? // The order of the databases. That of JavaScript differs beyond U+FFFF.
        Buffer.compare(Buffer.from(left), Buffer.from(right))
      : Number(left) - Number(right)
  switch (operator) {
    case '=':
      return order === 0
    case '<>':
      return order !== 0
    case '<':
      return order < 0
    case '>':
      return order > 0
    case '<=':
      return order <= 0
    case '>=':
      return order >= 0
  }
}

/**
 * Matches a pattern of LIKE. Backtracks only to the last `%`, so that the time is at most proportional to the
 * length of the text times that of the pattern; a regular expression would try every combination.
 */
export function isLike(text: string, pattern: readonly PatternPart[]): boolean {
  const characters = [...text]
  const parts = pattern.flatMap((part): ({ is: 'any' | 'one' } | { is: 'character'; character: string })[] =>
    part.is === 'text' ? [...part.text].map((character) => ({ is: 'character', character })) : [part],
  )
  let at = 0
  let index = 0
  let retry: { at: number; index: number } | undefined
  while (at < characters.length) {
    const part = parts[index]
    if (part?.is === 'any') retry = { at, index: ++index }
    else if (part?.is === 'one' || (part?.is === 'character' && part.character === characters[at])) {
      at++
      index++
    } else if (retry) {
      retry.at++
      at = retry.at
      index = retry.index
    } else return false
  }
  return parts.slice(index).every(({ is }) => is === 'any')
}
