import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { MissingRule } from '#domain/imports/import-draft.schema.ts'
import type { Actor } from '../../activity/activity.queries.ts'

export type ImportSource = { mapId: string; source: string; kind: FeatureKind }

export type PublishingOptions = ImportSource & {
  client?: { name: string; location: string }
  /** Default true. */
  keepsEdits?: boolean
  /** Default false. */
  bringsBack?: boolean
  missing?: MissingRule | undefined
  onlyFields?: readonly string[] | undefined
  actor?: Actor
}
