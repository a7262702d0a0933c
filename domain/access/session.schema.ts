import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'
import { mapRoles } from './access.ts'

export const roles = z.object({
  isAdministrator: z.boolean(),
  ofMaps: z.record(z.string(), z.enum(mapRoles)),
})

/** Whoever is signed in. `id` is the identity provider's, `name` what others are shown. */
export const person = z.object({ id: z.string(), name: z.string(), roles })
export type Person = z.infer<typeof person> & {
  /** The token by which a program asks for the person. The name says so, too. */
  tokenId?: string
}

/** What the page asks to know whether somebody is signed in; `person` null is nobody. */
export const sessionAnswer = z.object({
  person: person.nullable(),
  expiresAt: instant.nullable(),
  /** The built-in provider for trying things out is the one that signs people in. */
  isDemo: z.boolean(),
})
export type SessionAnswer = z.infer<typeof sessionAnswer>

/** A signed-in browser. */
export type Session = {
  /** Its key in the database: the cookie's id hashed, so that knowing it opens no session. */
  idHash: string
  person: Person
  /** When it ends if it is not used any more. Use prolongs it, to a day at most. */
  expiresAt: number
  idToken: string | null
}
