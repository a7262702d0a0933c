import type { Metadata } from '#domain/features/common.schema.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { MapConfiguration } from '#domain/map-configuration/map-configuration.schema.ts'
import type { FeatureColumns } from '../database/tables.ts'
import { outerRing } from '../geometry/measure-geometry.ts'

/** What somebody may see of a feature: staff everything, others what the map's configuration says. */
export type Sight = 'everything' | Pick<MapConfiguration, 'showPersonalData' | 'publicMetadata'>

/**
 * A stored row as the entity it is (section 3 of the specification). Owner, tax information and reporter are
 * left out (null) where the reader may not see personal data, as is metadata that is not published.
 */
export function toFeatureDetail(row: FeatureColumns, sight: Sight): FeatureDetail {
  const seesPersonalData = sight === 'everything' || sight.showPersonalData
  const fields = JSON.parse(row.fields)
  const geometry = JSON.parse(row.geometry) as Geometry
  const location = { lat: row.lat, lng: row.lng }
  const base = {
    id: row.id,
    mapId: row.map_id,
    geometry,
    location,
    metadata: seenMetadata(JSON.parse(row.metadata), sight),
    version: row.version,
    updatedAt: new Date(row.updated_at).toISOString(),
    description: row.description,
  }
  if ('featureType' in fields) {
    const status = row.status as 'operational'
    return { ...base, kind: 'feature', name: row.name, status, featureType: fields.featureType }
  }
  switch (row.kind) {
    case 'incident':
      return {
        ...base,
        kind: 'incident',
        title: row.name,
        type: row.type as 'fire' | null,
        severity: row.severity as 'high' | null,
        date: row.date === null ? null : new Date(row.date).toISOString(),
        resolved: row.status === 'resolved',
        ...fields,
        reportedBy: seesPersonalData ? fields.reportedBy : null,
      }
    case 'asset':
      return {
        ...base,
        kind: 'asset',
        name: row.name,
        type: row.type as 'water' | null,
        status: row.status as 'operational',
        ...fields,
      }
    case 'parcel':
      return {
        ...base,
        kind: 'parcel',
        name: row.name,
        ...fields,
        owner: seesPersonalData ? fields.owner : null,
        taxInfo: seesPersonalData ? fields.taxInfo : null,
        center: location,
        boundaries: outerRing(geometry).map(([lng, lat]) => [lat, lng]),
      }
  }
}

function seenMetadata(metadata: Metadata, sight: Sight): Metadata {
  if (sight === 'everything') return metadata
  return metadata.filter(({ name }) => sight.publicMetadata.includes(name))
}
