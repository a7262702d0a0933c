import { z } from 'zod'
import { pageOf } from '#domain/features/feature.schema.ts'
import { instant } from '#domain/values/common.schema.ts'
import { mapRoles } from './access.ts'

/** Of one user. `mapCount` counts all. */
export const maxListedMaps = 20

const personAccess = z.object({
  /** A pseudonym: the provider's id may be an email address. */
  id: z.string(),
  name: z.string(),
  isAdministrator: z.boolean(),
  maps: z
    .array(z.object({ id: z.string(), name: z.string().nullable(), role: z.enum(mapRoles) }))
    .max(maxListedMaps)
    .meta({ description: 'Names are null for maps that do not exist' }),
  mapCount: z.number().int().min(0),
  signedInAt: instant,
})
export type PersonAccess = z.infer<typeof personAccess>

export const peoplePage = pageOf(personAccess).extend({
  rolesClaim: z
    .string()
    .nullable()
    .meta({
      description:
        'Name of the claim with the roles. Null if all users of the identity provider are administrators, and for the ' +
        'demo provider',
    }),
})
export type PeoplePage = z.infer<typeof peoplePage>
