import type { z } from 'zod'
import { isStorableText } from '#domain/values/text.ts'
import { quoteValue } from '../quote-value.ts'

type Issue = z.core.$ZodIssue

/** A schema's complaint as half a sentence that names the field or column, and its value. */
export function describeIssue(issue: Issue | undefined, values: Record<string, unknown>): string {
  if (!issue) return 'it does not fit the schema'
  const value = issue.path.reduce<unknown>((inner, key) => (inner as never)?.[key as never], values)
  const name = nameOf(issue.path, values)
  if (value === null || value === undefined) return `it has no ${name}`
  const tooBig = findTooBig(issue)
  if (typeof value === 'string' && !isStorableText(value))
    return `${name} ${quoteValue(value)} is ill-formed text (half a character, or NUL)`
  if (typeof value === 'string' && tooBig)
    return `${name} ${quoteValue(value)} has ${value.length} characters; at most ${tooBig} are allowed`
  return `${name} ${quoteValue(value)} cannot be stored: ${issue.message}`
}

/** Metadata is known to people by the name of its column. */
function nameOf(path: Issue['path'], values: Record<string, unknown>): string {
  const [first, index, part] = path
  if (first !== 'metadata' || typeof index !== 'number') return path.join('.')
  const column = (values.metadata as { name: string }[])[index]?.name
  return part === 'name' ? 'the column name' : `column ${quoteValue(column)}`
}

function findTooBig(issue: Issue): number | undefined {
  if (issue.code === 'too_big') return Number(issue.maximum)
  if (issue.code !== 'invalid_union') return undefined
  return issue.errors
    .flat()
    .map(findTooBig)
    .find((maximum) => maximum !== undefined)
}
