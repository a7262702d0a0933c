import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { CustomFields } from '#domain/features/custom-fields.ts'
import type { AreaUnit, ImportLayout } from '#domain/imports/import-layout.schema.ts'
import type { StoredColumns } from '../mapping/map-columns.ts'
import type { ProjectionDefinition } from '../projections/find-projection.ts'

export type ReadingOptions = {
  mapId: string
  kind: FeatureKind
  /** Together with a record's id it identifies the same feature in every edition. */
  source: string
  type?: string
  columns?: ReadonlyMap<string, string>
  kept?: StoredColumns
  layout?: ImportLayout
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  maxRows?: number
  /** Default UTC. */
  timeZone?: string
  /** Unit of the area column; default acres. */
  areaUnit?: AreaUnit
  customFields?: CustomFields
  /** Default WGS 84 longitude and latitude. */
  projection?: ProjectionDefinition
  /** Whether the file has latitude before longitude, or y before x. */
  areCoordinatesSwapped?: boolean
  leftOut?: ReadonlySet<number>
  mended?: ReadonlyMap<number, Readonly<Record<string, string>>>
}
