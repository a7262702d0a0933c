import { z } from 'zod'
import { instant } from '#domain/values/common.schema.ts'
import { mapRoles } from './access.ts'

export const roles = z.object({
  isAdministrator: z.boolean(),
  ofMaps: z.record(z.string(), z.enum(mapRoles)),
})

export const person = z.object({ id: z.string(), name: z.string(), roles })
export type Person = z.infer<typeof person> & {
  tokenId?: string
}

export const sessionAnswer = z.object({
  person: person.nullable(),
  expiresAt: instant.nullable(),
  isDemo: z.boolean(),
})
export type SessionAnswer = z.infer<typeof sessionAnswer>

export type Session = {
  /** Hash of the id in the cookie, so that it cannot open a session. */
  idHash: string
  person: Person
  /** Each use extends it, up to one day. */
  expiresAt: number
  idToken: string | null
}
