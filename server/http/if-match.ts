import { z } from 'zod'
import type { Expectation } from '../domain-error.ts'
import { ProblemError } from './problem.ts'

// Whoever changes something says which version of it they saw (RFC 9110, If-Match), so that nobody overwrites
// what somebody else did meanwhile.

export function etagOf(version: number): string {
  return `"${version}"`
}

/** Loose: a validated object takes the place of the request's headers. */
export const ifMatchHeader = z.looseObject({
  'if-match': z
    .string()
    .max(1_000)
    .optional()
    .meta({ description: 'The ETag of what is to be changed; 428 without, 412 where it has changed since' }),
})

/** Whether `If-None-Match` names the ETag; strong and weak ones are compared alike. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}

const entityTags = /^(?:W\/)?"[\x21\x23-\x7e]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e]*")*$/

/**
 * What `If-Match` says. `*` is whatever is there: the sender wants to overwrite. A weak tag matches nothing, as
 * the RFC has it. Throws a 428 where it says nothing, a 400 where it is no such header.
 */
export function readIfMatch(header: string | undefined): Expectation {
  const text = header?.trim() ?? ''
  if (text === '')
    throw new ProblemError(428, 'Say in If-Match which version you saw: its ETag, such as "3".')
  if (text === '*') return () => true
  if (!entityTags.test(text))
    throw new ProblemError(400, 'If-Match: must be ETags in quotation marks, such as "3"', [
      { in: 'header', name: 'If-Match', message: 'must be ETags in quotation marks, such as "3"' },
    ])
  const tags = new Set(text.match(/(?:W\/)?"[^"]*"/g))
  return (version) => tags.has(etagOf(version))
}
