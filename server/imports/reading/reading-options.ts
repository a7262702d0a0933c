import type { FeatureKind } from '#domain/definition/kinds.ts'
import type { OwnFields } from '#domain/features/own-fields.ts'
import type { AreaUnit, ImportLayout } from '#domain/imports/import-layout.schema.ts'
import type { StoredColumns } from '../mapping/map-columns.ts'
import type { ProjectionDefinition } from '../projections/projection.ts'

/** How the rows of a file are read. */
export type ReadingOptions = {
  mapId: string
  kind: FeatureKind
  /** The name of the source. Together with a record's id it identifies the same feature in every edition. */
  source: string
  /** Incident or asset type of all rows. */
  type?: string
  /** The columns chosen for fields. */
  columns?: ReadonlyMap<string, string>
  /** Which other columns stay with the features; default all. */
  kept?: StoredColumns
  /** Overrides the detected layout. */
  layout?: ImportLayout
  /** Values for the words of a file, by field. */
  words?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Files with more rows are refused; default any number. */
  mostRows?: number
  /** Zone of local times; default UTC. */
  timeZone?: string
  /** Unit of the area column; default acres. */
  areaUnit?: AreaUnit
  ownFields?: OwnFields
  /** The projection of the coordinates; default WGS 84 longitude and latitude. */
  projection?: ProjectionDefinition
  /** Whether the file has latitude before longitude, or y before x. */
  areCoordinatesSwapped?: boolean
  /** Numbers of rows that are not imported. */
  leftOut?: ReadonlySet<number>
  /** Corrected values of columns, by row number. */
  mended?: ReadonlyMap<number, Readonly<Record<string, string>>>
}
