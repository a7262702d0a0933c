import { writeFileSync } from 'node:fs'
import { countPositions } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import type { Extent } from '../../database/database.ts'
import { joinExtents } from '../../geometry/extents.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { readGeometry } from '../geometry/read-geometry.ts'
import { Refusal } from '../import-error.ts'
import { readPlace } from '../mapping/build-row.ts'
import { fieldsOfKind } from '../mapping/fields.ts'
import { ColumnMapping } from '../mapping/map-columns.ts'

/** Of a shape with more positions some are left out: the sample is for a look. */
const mostPositions = 1_000

/** Where the first rows of a file are, for a look before anything is said of them. */
export class SampleOfRows {
  extent: Extent | null = null
  private readonly shapes: string[] = []
  private readonly mapping: ColumnMapping

  constructor(columns: ReadonlyMap<string, string>) {
    this.mapping = new ColumnMapping(fieldsOfKind('feature'), columns)
  }

  add(record: SourceRecord) {
    const geometry = this.placeOf(record)
    if (!geometry) return
    this.extent = joinExtents([this.extent, extentOfGeometry(geometry)])
    this.shapes.push(JSON.stringify(thinned(geometry)))
  }

  /** As GeoJSON. */
  write(path: string) {
    const features = this.shapes.map(
      (geometry) => `{"type":"Feature","properties":{},"geometry":${geometry}}`,
    )
    writeFileSync(path, `{"type":"FeatureCollection","features":[${features.join(',\n')}]}\n`, {
      mode: 0o600,
    })
  }

  private placeOf({ geometry, properties }: SourceRecord): Geometry | undefined {
    try {
      if (geometry !== undefined) return readGeometry(geometry)
      return readPlace(this.mapping.assign(properties, new Set()).fields, { isSwapped: false })
    } catch (error) {
      // The trial says what is wrong with a row.
      if (error instanceof Refusal) return undefined
      throw error
    }
  }
}

function thinned(geometry: Geometry): Geometry {
  const step = Math.ceil(countPositions(geometry) / mostPositions)
  if (step === 1) return geometry
  const thin = (line: Position[]) =>
    line.length <= 2 * step
      ? line
      : line.filter((_, index) => index % step === 0 || index === line.length - 1)
  switch (geometry.type) {
    case 'Point':
      return geometry
    case 'MultiPoint':
    case 'LineString':
      return { ...geometry, coordinates: thin(geometry.coordinates) }
    case 'MultiLineString':
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(thin) }
    case 'MultiPolygon':
      return { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(thin)) }
  }
}
