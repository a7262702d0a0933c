import { z } from 'zod'
import type { Expectation } from '../domain-error.ts'
import { ProblemError } from './problem.ts'

// Clients name the version that they change in If-Match (RFC 9110), so that concurrent changes are not
// overwritten.

export function etagOf(version: number): string {
  return `"${version}"`
}

/** Loose: the parsed object replaces the request's headers. */
export const ifMatchHeader = z.looseObject({
  'if-match': z.string().max(1_000).optional().meta({
    description: 'ETag of the version to change. Returns 428 if missing, 412 if the version has changed',
  }),
})

export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}

const entityTags = /^(?:W\/)?"[\x21\x23-\x7e]*"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e]*")*$/

/** `*` matches any version, a weak tag none (as in the RFC). Throws a 428 if missing, a 400 if invalid. */
export function readIfMatch(header: string | undefined): Expectation {
  const text = header?.trim() ?? ''
  if (text === '')
    throw new ProblemError(
      428,
      'If-Match is required: send the ETag of the version that you want to change, such as "3".',
    )
  if (text === '*') return () => true
  if (!entityTags.test(text))
    throw new ProblemError(400, 'If-Match: must be ETags in quotation marks, such as "3"', [
      { in: 'header', name: 'If-Match', message: 'must be ETags in quotation marks, such as "3"' },
    ])
  const tags = new Set(text.match(/(?:W\/)?"[^"]*"/g))
  return (version) => tags.has(etagOf(version))
}
