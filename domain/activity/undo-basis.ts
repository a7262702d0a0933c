import type { AccessRule } from '#domain/access/access.ts'
import type { MaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import type { ChangedPart } from './activities.ts'

// What an undo depends on: the server compares exactly this before it undoes, and refuses if it is different. The page
// withdraws an offer as soon as it hears of a change that makes it different. No schema library: the page needs it.

export type UndoBasis = { mapId: string } & (
  | { of: 'feature'; id: string; version: number }
  /** `version`: the last one before the removal. */
  | { of: 'removed feature'; id: string; version: number; changeId: string }
  /** An entry of the maintenance of a feature as the change left it; null if the change removed it. */
  | { of: 'maintenance entry'; featureId: string; entryId: string; left: MaintenanceEntry | null }
  /** Undone in part if only some of the features are as it left them. */
  | { of: 'bulk change'; changeId: string }
  /** Undone in part if only some of the files are as the change left them. */
  | { of: 'files'; featureId: string; files: readonly { id: string; version: number }[] }
  | { of: 'removed file'; featureId: string; fileId: string }
  | { of: 'configuration'; version: number }
  /** Whether the map is archived; `version` of its client. */
  | { of: 'archiving'; version: number }
)

/** Who may undo it: the rule of the server's route. */
export const undoAccess: Record<UndoBasis['of'], AccessRule> = {
  feature: 'editor',
  'removed feature': 'editor',
  'maintenance entry': 'editor',
  'bulk change': 'editor',
  files: 'editor',
  'removed file': 'editor',
  configuration: 'manager',
  archiving: 'administrator',
}

/** A change that the page hears of; `id` of the one thing that changed, `version` that it has now, null if it is gone. */
type Change = { mapId: string; part: ChangedPart; id: string | null; version: number | null }

/** After a change an undo is as possible as before, or not possible any more, or only the server knows. */
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
    case 'configuration':
      if (part === 'everything' || (part === 'configuration' && version === null)) return 'unknown'
      return part === 'configuration' && version !== null && version > basis.version ? 'ends' : 'none'
    case 'archiving':
      return part === 'everything' && version !== null && version > basis.version ? 'ends' : 'none'
  }
}
