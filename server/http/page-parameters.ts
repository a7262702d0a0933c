import { z } from 'zod'
import { featureKinds } from '#domain/definition/kinds.ts'
import { columnFilters, featureTypes } from '#domain/features/filters.ts'
import type { Box } from '#domain/geometry/box.ts'
import { isStorableText } from '#domain/values/text.ts'

export const searchText = z
  .string()
  .max(200)
  .refine(isStorableText, 'must not contain invalid characters')
  .optional()

/** A decimal number in an address or a form. `z.coerce` would read '' as 0, and '0x10' as 16. */
export const numberText = (schema: z.ZodNumber) =>
  z.preprocess((text) => (isDecimal(text) ? Number(text) : text), schema)

export const isDecimal = (text: unknown) =>
  typeof text === 'string' && /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i.test(text)

export const pageLimit = numberText(z.int().min(1).max(500)).default(100)

export const pageCursor = z.string().max(2_000).optional()

/** Removes duplicates. Undefined and empty both mean no restriction. */
export function listOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z
    .string()
    .max(500)
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(z.enum(values)))
    .transform((parts) => [...new Set(parts)])
    .optional()
}

/** Filters that lists, counts and tiles share. Types restrict only their own kind, `since` only incidents. */
export const mapFilter = {
  kind: listOf(featureKinds),
  type: listOf(featureTypes),
  since: z
    .union([z.iso.date(), z.iso.datetime()], 'must be a date or an instant in UTC')
    .optional()
    .meta({ description: 'Incidents since this instant, or since the start of this day in UTC' }),
  status: listOf(columnFilters.status),
  severity: listOf(columnFilters.severity),
}

/** Degrees. */
export const boxQuery = z
  .string()
  .regex(/^-?\d{1,3}(\.\d{1,20})?(,-?\d{1,3}(\.\d{1,20})?){3}$/, 'must be west,south,east,north in degrees')
  .transform((text): Box => {
    const [west, south, east, north] = text.split(',').map(Number) as [number, number, number, number]
    return { west, south, east, north }
  })
  .refine(
    ({ west, east }) => Math.max(Math.abs(west), Math.abs(east)) <= 180,
    'west and east must be between -180 and 180',
  )
  .refine(
    ({ south, north }) => south >= -90 && north <= 90 && south <= north,
    'south and north must be between -90 and 90, south first',
  )
  .meta({
    description:
      'West, south, east, and north in degrees. West is greater than east for a box across the date line',
  })
