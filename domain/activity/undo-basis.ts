import type { AccessRule } from '#domain/access/access.ts'
import type { MaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import type { ChangedPart } from './activity-rules.ts'

// Conditions of an undo. The server compares exactly these before it undoes a change; the page withdraws an offer as
// soon as it hears of a change that breaks one. No schema library: the page needs it.

export type UndoBasis = { mapId: string } & (
  | { of: 'feature'; id: string; version: number }
  | { of: 'removed feature'; id: string; version: number; changeId: string }
  | { of: 'maintenance entry'; featureId: string; entryId: string; entry: MaintenanceEntry | null }
  /** Undone in part if some of the features have changed since. */
  | { of: 'bulk change'; changeId: string }
  | { of: 'files'; featureId: string; files: readonly { id: string; version: number }[] }
  | { of: 'removed file'; featureId: string; fileId: string }
  | { of: 'report'; id: string; version: number }
  | { of: 'configuration'; version: number }
  | { of: 'archiving'; version: number }
)

export const undoAccess: Record<UndoBasis['of'], AccessRule> = {
  feature: 'editor',
  'removed feature': 'editor',
  'maintenance entry': 'editor',
  'bulk change': 'editor',
  files: 'editor',
  'removed file': 'editor',
  report: 'editor',
  configuration: 'manager',
  archiving: 'administrator',
}

type Change = { mapId: string; part: ChangedPart; id: string | null; version: number | null }

export function effectOnUndo(basis: UndoBasis, change: Change): 'none' | 'ends' | 'unknown' {
  const { part, id, version } = change
  if (change.mapId !== basis.mapId) return 'none'
  const isOfFeature = part === 'status' || part === 'maintenance' || part === 'feature' || part === 'features'
  const isAnything = part === 'everything' || part === 'imports' || (part === 'features' && id === null)
  switch (basis.of) {
    case 'feature':
      if (isAnything) return 'unknown'
      if (!isOfFeature || id !== basis.id) return 'none'
      return version === null || version > basis.version ? 'ends' : 'none'
    case 'removed feature':
      if (isAnything) return 'unknown'
      if (!isOfFeature || id !== basis.id || version === null) return 'none'
      // The page may hear of an earlier change after its own removal.
      return version > basis.version ? 'ends' : 'none'
    case 'maintenance entry':
      return isAnything || (isOfFeature && id === basis.featureId) ? 'unknown' : 'none'
    case 'bulk change':
      return isAnything || isOfFeature ? 'unknown' : 'none'
    case 'files':
    case 'removed file':
      return isAnything || ((isOfFeature || part === 'files') && id === basis.featureId) ? 'unknown' : 'none'
    case 'report':
      if (part === 'everything') return 'unknown'
      return part === 'reports' && id === basis.id && version !== null && version > basis.version
        ? 'ends'
        : 'none'
    case 'configuration':
      if (part === 'everything' || (part === 'configuration' && version === null)) return 'unknown'
      return part === 'configuration' && version !== null && version > basis.version ? 'ends' : 'none'
    case 'archiving':
      return part === 'everything' && version !== null && version > basis.version ? 'ends' : 'none'
  }
}
