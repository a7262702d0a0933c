import { assetDefinition } from '#domain/assets/asset.definition.ts'
import type { Fields } from '#domain/definition/definition.ts'
import { type CustomFields, fieldsOf } from '#domain/features/custom-fields.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { outerRing } from '#domain/geometry/measure-geometry.ts'
import type { Metadata } from '#domain/values/common.schema.ts'
import type { Database, ReadDatabase } from '../../database/database.ts'
import type { FeatureColumns } from '../../database/tables.ts'
import { readCustomFields } from '../custom-fields/custom-fields.queries.ts'
import { readNames } from '../lists/feature-summaries.queries.ts'
import { kindOfRow } from './derive-columns.ts'
import { readNextDue } from './feature-row.ts'
import { fieldSightOf, type Sight, seenCustomFields } from './sight.ts'
import { readFields } from './stored-fields.ts'

/**
 * Section 3 of the specification. Owner, tax information, reporter and unpublished metadata are null if the reader may
 * not see them.
 */
export async function readFeatureDetail(
  { read }: Database,
  row: FeatureColumns,
  sight: Sight,
): Promise<FeatureDetail> {
  const detail = toFeatureDetail(row, sight, await readCustomFields(read, row.map_id))
  return { ...detail, referenceNames: await readReferenceNames(read, detail) }
}

async function readReferenceNames(read: ReadDatabase, detail: FeatureDetail) {
  const { fields }: { fields: Fields } = definitions[detail.kind]
  const values: Readonly<Record<string, unknown>> = detail
  const names = Object.entries(fields).map(async ([key, { value }]) => {
    const id = values[key]
    if (value.type !== 'reference' || typeof id !== 'string') return []
    return [[key, (await readNames(read, detail.mapId, value.to, [id])).get(id) ?? null]]
  })
  return Object.fromEntries((await Promise.all(names)).flat())
}

export function toFeatureDetail(
  row: FeatureColumns,
  sight: Sight,
  customFields: CustomFields,
): FeatureDetail {
  const geometry = JSON.parse(row.geometry) as Geometry
  const location = { lat: row.lat, lng: row.lng }
  const base = {
    id: row.id,
    mapId: row.map_id,
    geometry,
    shape: row.shape,
    location,
    metadata: seenMetadata(JSON.parse(row.metadata), sight),
    referenceNames: {},
    version: row.version,
    updatedAt: new Date(row.updated_at).toISOString(),
  }
  const isStaff = sight === 'everything'
  const seenFields = seenCustomFields(customFields, sight)
  const kind = kindOfRow(row)
  const fields = readFields(fieldsOf(kind, seenFields), row, fieldSightOf(sight))
  const derived = {
    ...('maintenanceHistory' in fields && {
      ...seenMaintenance(fields, isStaff),
      nextDue: isStaff ? readNextDue(row) : null,
    }),
    ...(kind === 'parcel' && {
      center: location,
      boundaries: outerRing(geometry).map(([lng, lat]) => [lat, lng]),
    }),
  }
  // TypeScript does not relate the fields of a union of kinds to the kind.
  return { ...base, kind, ...fields, ...derived } as FeatureDetail
}

/** The public sees only the entries that the details show. */
export function seenMaintenance<Own extends { maintenanceHistory: readonly unknown[] }>(
  asset: Own,
  isStaff: boolean,
): Own {
  const { shown } = assetDefinition.fields.maintenanceHistory.value
  return isStaff ? asset : { ...asset, maintenanceHistory: asset.maintenanceHistory.slice(0, shown) }
}

export function seenMetadata(metadata: Metadata, sight: Sight): Metadata {
  if (sight === 'everything') return metadata
  return metadata.filter(({ name }) => sight.publicMetadata.includes(name))
}
