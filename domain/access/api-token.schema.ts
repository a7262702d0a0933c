import { z } from 'zod'
import { instant, mapId, text } from '#domain/values/common.schema.ts'
import { type AccessRule, isAllowed, type Roles } from './access.ts'

// Tokens by which programs act for whoever made them.

/** What a token may be for. Each reads, too: whoever changes something is told what it is by then. */
export const tokenScopeLabels = {
  read: 'Read what you see',
  write: 'Read, and change features, drawings and files',
  import: 'Read, and import files',
} as const
export type TokenScope = keyof typeof tokenScopeLabels
export const tokenScopes = Object.keys(tokenScopeLabels) as TokenScope[]

export const tokenPrefix = 'poa_'

const dayMs = 86_400_000
/** No token lasts longer. */
export const longestTokenMs = 365 * dayMs

/** So many maps of one token, and tokens of one person. */
export const mostMapsOfToken = 100
export const mostTokensOfPerson = 50

/** It stands in the history, so it is one line. */
const tokenName = text(80)
  .transform((name) => name.trim())
  .refine((name) => name !== '', 'must not be blank')
  .refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/u.test(name), 'must be one line of visible characters')

const isEachOnce = (items: readonly string[]) => new Set(items).size === items.length

export const newApiToken = z.strictObject({
  name: tokenName.meta({ description: 'What the history calls it, such as "County sync"' }),
  scopes: z.array(z.enum(tokenScopes)).min(1).refine(isEachOnce, 'must name each scope once'),
  mapIds: z.array(mapId).min(1).max(mostMapsOfToken).refine(isEachOnce, 'must name each map once'),
  expiresAt: instant.optional().meta({ description: 'When it ends; in a year unless said, and no later' }),
})
export type NewApiToken = z.infer<typeof newApiToken>

export const apiToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  maps: z.array(z.object({ id: mapId, name: z.string() })),
  /** Name of who made it. */
  madeBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
  /** To the minute; null where it was never used. */
  lastUsedAt: instant.nullable(),
})
export type ApiToken = z.infer<typeof apiToken>

export const apiTokens = z.object({ items: z.array(apiToken) })

/** `secret` is what programs send. It is told this once. */
export const madeApiToken = apiToken.extend({ secret: z.string() })
export type MadeApiToken = z.infer<typeof madeApiToken>

/** How whatever a token does is signed: `Pat Jones, by token "County sync"`. */
export const signatureOf = (maker: string, token: string) => `${maker}, by token "${token}"`

/** An editor on those of the token's maps on which its maker has a role: people manage maps, and no program does. */
export function rolesOfToken(maker: Roles, mapIds: readonly string[]): Roles {
  const held = mapIds.flatMap((id) => {
    return mayReach(maker, id) ? [[id, 'editor'] as const] : []
  })
  return { isAdministrator: false, ofMaps: Object.fromEntries(held) }
}

/** The scope that a route demands of a token; null where no token may ask. */
export function scopeOfRule(rule: AccessRule, isReading: boolean): TokenScope | null {
  // People, settings, clients, sessions and tokens are managed by people.
  if (rule === 'signed-in' || rule === 'manager' || rule === 'administrator') return null
  return isReading ? 'read' : 'write'
}

/** Whether these are enough for what demands one of them. */
export const isEnough = (scopes: readonly TokenScope[], demanded: TokenScope) =>
  demanded === 'read' || scopes.includes(demanded)

/** Whether a person may make a token for a map. */
export const mayReach = (roles: Roles, mapId: string) => isAllowed(roles, 'staff', mapId)
