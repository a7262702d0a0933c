// Who may do what: the one place that decides. The server enforces it in every route, the page hides what
// would be refused.

/** On one map: an editor keeps features and drawings up to date, a manager its configuration too. */
export const mapRoles = ['editor', 'manager'] as const
export type MapRole = (typeof mapRoles)[number]

/** An administrator may do everything on every map, and adds and archives clients. */
export type Roles = { isAdministrator: boolean; ofMaps: Readonly<Record<string, MapRole>> }

/**
 * What a route, or a button, demands. `editor` and `manager` are meant on the map in question; a manager may
 * do what an editor may.
 */
export const accessRules = ['public', 'signed-in', 'editor', 'manager', 'administrator'] as const
export type AccessRule = (typeof accessRules)[number]

export const everyRole: Roles = { isAdministrator: true, ofMaps: {} }
export const noRole: Roles = { isAdministrator: false, ofMaps: {} }

/** `roles` null is nobody: a visitor who is not signed in. */
export function isAllowed(roles: Roles | null, rule: AccessRule, mapId?: string): boolean {
  if (rule === 'public') return true
  if (roles === null) return false
  if (rule === 'signed-in' || roles.isAdministrator) return true
  if (rule === 'administrator' || mapId === undefined) return false
  const role = Object.hasOwn(roles.ofMaps, mapId) ? roles.ofMaps[mapId] : undefined
  return rule === 'editor' ? role !== undefined : role === 'manager'
}

/**
 * Roles as an identity provider's claim gives them: an array of `role:mapId`, or `administrator`, alone or in
 * the array. What is neither is left out: a provider's other roles are none of our business.
 */
export function rolesOfClaim(claim: unknown): Roles {
  const entries = (Array.isArray(claim) ? claim : [claim]).filter((entry) => typeof entry === 'string')
  const ofMaps = new Map<string, MapRole>()
  for (const entry of entries) {
    const [role, mapId] = splitAtFirstColon(entry)
    if (!mapId || !isMapRole(role) || ofMaps.get(mapId) === 'manager') continue
    ofMaps.set(mapId, role)
  }
  return { isAdministrator: entries.includes('administrator'), ofMaps: Object.fromEntries(ofMaps) }
}

function splitAtFirstColon(text: string): [string, string | undefined] {
  const colon = text.indexOf(':')
  return colon === -1 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)]
}

function isMapRole(role: string): role is MapRole {
  return (mapRoles as readonly string[]).includes(role)
}
