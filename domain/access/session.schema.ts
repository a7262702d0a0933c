import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'
import { mapRoles } from './access.ts'

export const roles = z.object({
  isAdministrator: z.boolean(),
  ofMaps: z.record(z.string(), z.enum(mapRoles)),
})

/** `id` is the identity provider's, `name` is displayed. */
export const person = z.object({ id: z.string(), name: z.string(), roles })
export type Person = z.infer<typeof person> & {
  /** Of a request with a token, whose name is in `name`. */
  tokenId?: string
}

/** `person` is null for a visitor. */
export const sessionAnswer = z.object({
  person: person.nullable(),
  expiresAt: instant.nullable(),
  /** Whether the built-in provider signs people in. */
  isDemo: z.boolean(),
})
export type SessionAnswer = z.infer<typeof sessionAnswer>

export type Session = {
  /** A hash of the cookie's id, so that it opens no session. */
  idHash: string
  person: Person
  /** Without further use. Use prolongs it, to a day at most. */
  expiresAt: number
  idToken: string | null
}
