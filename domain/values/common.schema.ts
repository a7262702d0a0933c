import { z } from 'zod'
import { isReservedWord, isStorableText } from './text.ts'

/** Any text a person or a file may give us, up to `maxLength` UTF-16 units. */
export function text(maxLength: number) {
  return z.string().max(maxLength).refine(isStorableText, 'must be well-formed text without NUL')
}

/** An instant, ISO 8601 in UTC. */
export const instant = z.iso.datetime()

/** A calendar day, YYYY-MM-DD. */
export const day = z.iso.date()

export const mapId = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a slug of lower-case letters, digits and hyphens')
  .max(80)

export const featureId = z
  .string()
  .regex(/^[A-Za-z0-9._-]+$/, 'must consist of letters, digits, dot, underscore and hyphen')
  .max(120)

/** Of a feature to be created. Clients resolve `.` and `..` away from addresses, so that nobody could open it. */
export const newFeatureId = featureId.refine(
  (id) => id !== '.' && id !== '..',
  'must not be "." or "..", which cannot be part of an address',
)

/** Names a change of features: a random UUID of its sender's, or an import's own. */
export const changeId = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/, 'must consist of letters, digits and hyphens')
  .max(80)

/** Of a field that a client has added, or of a choice of it. */
export const ownKey = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]*$/, 'must be letters and digits, a lower-case letter first')
  .max(60)
  .refine((key) => !isReservedWord(key), 'must be another word: every object has this one')

export const metadataName = text(200)

/** What a source file or the viewer's sample says beyond the fields we know (section 3, 'metadata'). */
export const metadata = z.array(
  z.object({
    name: metadataName,
    value: z.union([text(10_000), z.number(), z.boolean(), z.null()]),
  }),
)
export type Metadata = z.infer<typeof metadata>
