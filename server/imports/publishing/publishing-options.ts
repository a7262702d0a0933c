import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { MissingRule } from '#domain/imports/import-draft.schema.ts'
import type { Actor } from '../../activity/activity.queries.ts'

/** Names the features that an import creates or replaces. */
export type ImportSource = { mapId: string; source: string; kind: FeatureKind }

/** How staged rows become features. */
export type PublishingOptions = ImportSource & {
  /** Creates the client and its map if the map does not exist. */
  client?: { name: string; location: string }
  /** Whether fields that people edited keep their values; default true. */
  keepsEdits?: boolean
  /** Whether features that people removed come back; default false. */
  bringsBack?: boolean
  /** What happens to features of the source that the file no longer has; default 'keep'. */
  missing?: MissingRule | undefined
  /** The only fields that change in existing features. */
  onlyFields?: readonly string[] | undefined
  /** Who imports, for the activity list. */
  actor?: Actor
}
