// All decisions about rights. The server enforces them in every route; the page hides what would be refused.

/** From least to most. Managers also change the configuration. */
export const mapRoleLabels = { editor: 'Editor', manager: 'Manager' } as const
export type MapRole = keyof typeof mapRoleLabels
export const mapRoles = Object.keys(mapRoleLabels) as MapRole[]

export type Roles = { isAdministrator: boolean; ofMaps: Readonly<Record<string, MapRole>> }

/** A role means at least this role on the map; `staff` is any role. */
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

/** `roles` is null for a visitor. */
export function isAllowed(roles: Roles | null, rule: AccessRule, mapId?: string): boolean {
  if (rule === 'public') return true
  if (roles === null) return false
  if (rule === 'signed-in' || roles.isAdministrator) return true
  if (rule === 'administrator' || mapId === undefined) return false
  const role = Object.hasOwn(roles.ofMaps, mapId) ? roles.ofMaps[mapId] : undefined
  return role !== undefined && (rule === 'staff' || isAtLeast(role, rule))
}

function isAtLeast(role: MapRole, other: MapRole): boolean {
  return mapRoles.indexOf(role) >= mapRoles.indexOf(other)
}

export function highestRole({ ofMaps }: Roles): MapRole | undefined {
  const roles = Object.values(ofMaps)
  return mapRoles.findLast((role) => roles.includes(role))
}

export function rolesUnder(rule: MapRole | 'staff'): MapRole[] {
  return rule === 'staff' ? mapRoles : mapRoles.filter((role) => isAtLeast(role, rule))
}

/** Accepts `role:mapId` or `administrator`, alone or in an array. Ignores other values. */
export function rolesOfClaim(claim: unknown): Roles {
  const entries = (Array.isArray(claim) ? claim : [claim]).filter((entry) => typeof entry === 'string')
  const ofMaps = new Map<string, MapRole>()
  for (const entry of entries) {
    const [role, mapId] = splitAtFirstColon(entry)
    if (!mapId || !isMapRole(role)) continue
    const current = ofMaps.get(mapId)
    if (current === undefined || isAtLeast(role, current)) ofMaps.set(mapId, role)
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
