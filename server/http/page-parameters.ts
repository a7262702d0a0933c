import { z } from 'zod'
import { featureKinds } from '#domain/definition/kinds.ts'
import { columnFilters, featureTypes } from '#domain/features/filters.ts'
import { isStorableText } from '#domain/values/text.ts'

// Query parameters that every list understands.

export const searchText = z.string().max(200).refine(isStorableText, 'must be well-formed text').optional()

export const pageLimit = z.coerce.number().int().min(1).max(500).default(100)

export const pageCursor = z.string().max(2_000).optional()

/** A comma-separated list of known words, each once; undefined and empty both mean no restriction. */
export function listOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z
    .string()
    .max(500)
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(z.enum(values)))
    .transform((parts) => [...new Set(parts)])
    .optional()
}

/** What lists, counts and tiles alike are filtered by. Types constrain only their own kind, `since` only incidents. */
export const mapFilter = {
  kind: listOf(featureKinds),
  type: listOf(featureTypes),
  since: z.iso.date().optional(),
  status: listOf(columnFilters.status),
  severity: listOf(columnFilters.severity),
}
