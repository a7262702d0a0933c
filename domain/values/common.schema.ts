import { z } from 'zod'
import { isReservedWord, isStorableText } from './text.ts'

/** UTF-16 units. */
export function text(maxLength: number) {
  return z.string().max(maxLength).refine(isStorableText, 'must not contain invalid characters')
}

export const instant = z.iso.datetime()

/** YYYY-MM-DD. */
export const day = z.iso.date()

export const mapId = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lowercase letters, digits, and hyphens')
  .max(80)

export const featureId = z
  .string()
  .regex(/^[A-Za-z0-9._-]+$/, 'must consist of letters, digits, dots, underscores, and hyphens')
  .max(120)

/** Not `.` or `..`: clients resolve them in addresses. */
export const newFeatureId = featureId.refine((id) => id !== '.' && id !== '..', 'must not be "." or ".."')

/** A random UUID of the client, or an import's id. */
export const changeId = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/, 'must be letters, digits, and hyphens')
  .max(80)

export const ownKey = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]*$/, 'must be letters and digits, starting with a lowercase letter')
  .max(60)
  .refine((key) => !isReservedWord(key), 'is a reserved word')

export const metadataName = text(200)

/** Values beyond our fields (section 3, 'metadata'). */
export const metadata = z.array(
  z.object({
    name: metadataName,
    value: z.union([text(10_000), z.number(), z.boolean(), z.null()]),
  }),
)
export type Metadata = z.infer<typeof metadata>
