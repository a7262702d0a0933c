import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import {
  type Coordinates,
  isEmptyShape,
  type OnRepair,
  readGeometry,
  requireRealPlace,
  toLngLat,
} from '../geometry/read-geometry.ts'
import { type PairColumn, readShapeOf } from '../geometry/read-shape.ts'
import { Refusal } from '../import-error.ts'
import { quoteValue } from '../quote-value.ts'
import { readCoordinate } from '../values/read-coordinate.ts'
import type { Source } from './map-columns.ts'
import { isBlank } from './read-values.ts'

type Sources = ReadonlyMap<string, Source>

export const locationFields = ['latitude', 'longitude', 'wkt']

export function readShape({ geometry }: SourceRecord, fields: Sources, order?: PairColumn['order']): unknown {
  return geometry === undefined ? readShapeColumn(fields, order) : geometry
}

function readShapeColumn(fields: Sources, order?: PairColumn['order']): unknown {
  const value = fields.get('wkt')?.value
  if (isBlank(value)) return undefined
  const shape = readShapeOf(value, order)
  if (shape === undefined)
    throw new Refusal(`its shape ${quoteValue(value)} is not WKT, WKB, GeoJSON, or coordinates`)
  return isEmptyShape(shape) ? undefined : shape
}

export const hasNoLocation = ({ geometry }: SourceRecord, fields: Sources) =>
  isEmptyShape(geometry) &&
  locationFields.every(
    (field) => isBlank(fields.get(field)?.value) || (field === 'wkt' && !readShapeColumn(fields)),
  )

/** Reads a shape or, without one, latitude and longitude in columns. Throws a Refusal if there is no location. */
export function readLocation(
  shape: unknown,
  fields: Sources,
  { coordinates, decimalMark }: { coordinates: Coordinates; decimalMark?: DecimalMark | undefined },
  onRepair: OnRepair = () => {},
): Geometry {
  if (shape !== undefined) return readGeometry(shape, coordinates, onRepair)
  if (fields.has('wkt') && !fields.has('latitude') && !fields.has('longitude'))
    throw new Refusal('it has no geometry')
  const names = ['latitude', 'longitude'] as const
  const missing = names.filter((field) => isBlank(fields.get(field)?.value))
  if (missing.length > 0) throw new Refusal(`it has no ${missing.join(' and no ')}`)
  const read = (field: 'latitude' | 'longitude') => {
    const value = fields.get(field)?.value
    const degrees = readCoordinate(value, decimalMark)
    if (degrees === undefined) throw new Refusal(`${field} ${quoteValue(value)} is not a number`)
    return degrees
  }
  const position: [number, number] = [read('longitude'), read('latitude')]
  requireRealPlace(position)
  return { type: 'Point', coordinates: toLngLat(position, coordinates, onRepair) }
}
