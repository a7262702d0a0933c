import { valueAt } from '#domain/definition/definition.ts'
import { fieldsOf, type OwnFields } from '#domain/features/own-fields.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { kindOfRow } from '../features/rows/derive-columns.ts'
import { readNextDue } from '../features/rows/feature-row.ts'
import { type FieldSight, readFields } from '../features/rows/stored-fields.ts'
import type { Property } from './properties.ts'
import { crs84, project, type ReferenceSystem } from './reference-systems.ts'

/** How the features of an answer are told. */
export type Telling = {
  properties: readonly Property[]
  ownFields: OwnFields
  sight: FieldSight
  system: ReferenceSystem
}

/** A row as a GeoJSON feature, without links. */
export function toItem(row: FeatureColumns, { properties, ownFields, sight, system }: Telling) {
  const values = {
    ...readFields(fieldsOf(kindOfRow(row), ownFields), row, sight),
    nextDue: readNextDue(row),
    version: row.version,
    updatedAt: new Date(row.updated_at).toISOString(),
  }
  const geometry = alike(JSON.parse(row.geometry))
  return {
    type: 'Feature',
    id: row.id,
    geometry: system === crs84 ? geometry : project(system, geometry),
    properties: Object.fromEntries(properties.map(({ name }) => [name, valueAt(values, name)])),
  }
}

/** Programs make one layer of a collection, with one type: lines and areas may have several parts, so all of them do. */
function alike(geometry: Geometry): Geometry {
  if (geometry.type === 'LineString') return { type: 'MultiLineString', coordinates: [geometry.coordinates] }
  if (geometry.type === 'Polygon') return { type: 'MultiPolygon', coordinates: [geometry.coordinates] }
  return geometry
}
