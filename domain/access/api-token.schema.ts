import { z } from 'zod'
import { instant, mapId, text } from '#domain/values/common.schema.ts'
import { type AccessRule, isAllowed, type Roles } from './access.ts'

/** Every scope includes reading: answers to changes contain the current state. */
export const tokenScopeLabels = {
  read: 'Read everything you can see',
  write: 'Read, and change features, drawings, and files',
  import: 'Read, and import files',
} as const
export type TokenScope = keyof typeof tokenScopeLabels
export const tokenScopes = Object.keys(tokenScopeLabels) as TokenScope[]

export const tokenPrefix = 'poa_'

const dayMs = 86_400_000
export const longestTokenMs = 365 * dayMs

export const maxMapsOfToken = 100
export const maxTokensOfPerson = 50

const tokenName = text(80)
  .transform((name) => name.trim())
  .refine((name) => name !== '', 'must not be blank')
  .refine(
    (name) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u.test(name),
    'must be a single line without invisible characters',
  )

const isEachOnce = (items: readonly string[]) => new Set(items).size === items.length

export const newApiToken = z.strictObject({
  name: tokenName.meta({ description: 'Shown in the history, such as "County sync"' }),
  scopes: z.array(z.enum(tokenScopes)).min(1).refine(isEachOnce, 'must list each scope once'),
  mapIds: z.array(mapId).min(1).max(maxMapsOfToken).refine(isEachOnce, 'must list each map once'),
  expiresAt: instant.optional().meta({ description: 'Defaults to one year, which is also the maximum' }),
})
export type NewApiToken = z.infer<typeof newApiToken>

export const apiToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  maps: z.array(z.object({ id: mapId, name: z.string() })),
  madeBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
  lastUsedAt: instant.nullable(),
})
export type ApiToken = z.infer<typeof apiToken>

export const apiTokens = z.object({ items: z.array(apiToken) })

/** `secret` is only returned once. */
export const madeApiToken = apiToken.extend({ secret: z.string() })
export type MadeApiToken = z.infer<typeof madeApiToken>

export const signatureOf = (maker: string, token: string) => `${maker}, by token "${token}"`

/** Editor on the token's maps where its creator has a role: tokens never manage maps. */
export function rolesOfToken(maker: Roles, mapIds: readonly string[]): Roles {
  const granted = mapIds.flatMap((id) => {
    return mayReach(maker, id) ? [[id, 'editor'] as const] : []
  })
  return { isAdministrator: false, ofMaps: Object.fromEntries(granted) }
}

export function scopeOfRule(rule: AccessRule, isReading: boolean): TokenScope | null {
  // Only people manage people, settings, clients, sessions and tokens.
  if (rule === 'signed-in' || rule === 'manager' || rule === 'administrator') return null
  return isReading ? 'read' : 'write'
}

export const isEnough = (scopes: readonly TokenScope[], demanded: TokenScope) =>
  demanded === 'read' || scopes.includes(demanded)

export const mayReach = (roles: Roles, mapId: string) => isAllowed(roles, 'staff', mapId)
