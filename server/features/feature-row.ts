import { definitions } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { FeatureKind } from '#domain/features/kinds.ts'
import { foldText, searchWords } from '#domain/features/text.ts'
import { layerOfFeatureType } from '#domain/general-features/general-feature.definition.ts'
import { earthCircumferenceMeters } from '#domain/geometry/web-mercator.ts'
import { mortonCode } from '#domain/tiles/morton.ts'
import { sizeZoom } from '#domain/tiles/tile-zooms.ts'
import type { FeatureColumns } from '../database/tables.ts'
import {
  extentOfGeometry,
  locationOfGeometry,
  mercatorSize,
  shapeOfGeometry,
} from '../geometry/measure-geometry.ts'
import { storeFields } from './stored-fields.ts'

// The one place where a feature becomes a row: whatever can be derived from it is derived here.

export function toFeatureRow(
  feature: NewFeature,
  { now, importId = null }: { now: number; importId?: string | null },
): FeatureColumns {
  const { id, mapId, geometry, metadata } = feature
  const shape = shapeOfGeometry(geometry)
  const location = locationOfGeometry(geometry)
  const size = mercatorSize(geometry)
  const columns = {
    ...storeFields(definitions[feature.kind].fields, feature),
    ...layerOf(feature),
  }
  return {
    map_id: mapId,
    id,
    shape,
    ...columns,
    lng: location.lng,
    lat: location.lat,
    ...extentOfGeometry(geometry),
    size: shape === 'line' ? size * earthCircumferenceMeters : size * earthCircumferenceMeters ** 2,
    morton: mortonCode(location.lng, location.lat),
    size_zoom: sizeZoom(shape, size),
    list_order: listOrder(columns.kind, columns.name, columns.date),
    search_text: searchWords(`${columns.name} ${columns.description} ${columns.type ?? ''} ${id}`).join(' '),
    import_id: importId,
    version: 1,
    created_at: now,
    updated_at: now,
    metadata: JSON.stringify(metadata),
    geometry: JSON.stringify(geometry),
  }
}

/** The layer of the map that a feature is on: its kind's own, or the one that a general feature says. */
function layerOf(feature: NewFeature): { kind: FeatureKind; type?: string | null } {
  return feature.kind === 'feature' ? layerOfFeatureType(feature.featureType) : { kind: feature.kind }
}

/** No instant is later than this many milliseconds (the range of a JavaScript Date). */
const lastInstant = 8.64e15

/**
 * Text whose byte order is the order of the list: incidents newest first (undated ones last), the others by
 * name as people count, 'Lot 2' before 'Lot 10'.
 */
export function listOrder(kind: FeatureKind, name: string, date: number | null): string {
  const byName = foldText(name)
    .replace(/\d+/g, (digits) => digits.padStart(10, '0'))
    .slice(0, 200)
  if (kind !== 'incident') return byName
  const age = date === null ? '~' : String(lastInstant - date).padStart(17, '0')
  return `${age} ${byName}`
}
