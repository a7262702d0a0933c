// Who may do what: the one place that decides. The server enforces it in every route, the page hides what
// would be refused.

/**
 * On one map, from least to most: each may do what those before it may. An editor keeps features and drawings up to
 * date, a manager its configuration too.
 */
export const mapRoleLabels = { editor: 'Editor', manager: 'Manager' } as const
export type MapRole = keyof typeof mapRoleLabels
export const mapRoles = Object.keys(mapRoleLabels) as MapRole[]

/** An administrator may do everything on every map, and adds and archives clients. */
export type Roles = { isAdministrator: boolean; ofMaps: Readonly<Record<string, MapRole>> }

/**
 * What a route, or a button, demands. A role is meant on the map in question, and at least; `staff` are all who have
 * one: to see what the public does not.
 */
export type AccessRule = 'public' | 'signed-in' | 'staff' | MapRole | 'administrator'
export const accessRules: readonly AccessRule[] = [
  'public',
  'signed-in',
  'staff',
  ...mapRoles,
  'administrator',
]

export const everyRole: Roles = { isAdministrator: true, ofMaps: {} }
export const noRole: Roles = { isAdministrator: false, ofMaps: {} }

/** `roles` null is nobody: a visitor who is not signed in. */
export function isAllowed(roles: Roles | null, rule: AccessRule, mapId?: string): boolean {
  if (rule === 'public') return true
  if (roles === null) return false
  if (rule === 'signed-in' || roles.isAdministrator) return true
  if (rule === 'administrator' || mapId === undefined) return false
  const role = Object.hasOwn(roles.ofMaps, mapId) ? roles.ofMaps[mapId] : undefined
  return role !== undefined && (rule === 'staff' || isAtLeast(role, rule))
}

/** Whether a role may do all that another may. */
function isAtLeast(role: MapRole, other: MapRole): boolean {
  return mapRoles.indexOf(role) >= mapRoles.indexOf(other)
}

/** Of roles on any maps the one that may do most; undefined where there is none. */
export function highestRole({ ofMaps }: Roles): MapRole | undefined {
  const held = Object.values(ofMaps)
  return mapRoles.findLast((role) => held.includes(role))
}

/** The roles on a map that a rule allows, from least to most. */
export function rolesUnder(rule: MapRole | 'staff'): MapRole[] {
  return rule === 'staff' ? mapRoles : mapRoles.filter((role) => isAtLeast(role, rule))
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
    if (!mapId || !isMapRole(role)) continue
    const held = ofMaps.get(mapId)
    if (held === undefined || isAtLeast(role, held)) ofMaps.set(mapId, role)
  }
  return { isAdministrator: entries.includes('administrator'), ofMaps: Object.fromEntries(ofMaps) }
}

function splitAtFirstColon(text: string): [string, string | undefined] {
  const colon = text.indexOf(':')
  return colon === -1 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)]
}

function isMapRole(role: string): role is MapRole {
  return Object.hasOwn(mapRoleLabels, role)
}
