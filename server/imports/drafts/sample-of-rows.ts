import { writeFileSync } from 'node:fs'
import { type Box, GatheredBoxes } from '#domain/geometry/box.ts'
import { countPositions } from '#domain/geometry/find-geometry-fault.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import type { FoundColumn } from '#domain/imports/import-draft.schema.ts'
import type { DecimalMark } from '#domain/imports/import-layout.schema.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { type Coordinates, projectionNamedBy } from '../geometry/read-geometry.ts'
import { Refusal } from '../import-error.ts'
import type { Layout } from '../layout/decide-layout.ts'
import { fieldsOfKind } from '../mapping/fields.ts'
import { ColumnMapping, type Source } from '../mapping/map-columns.ts'
import { readLocation, readShape } from '../mapping/read-location.ts'
import { readCoordinate } from '../values/read-coordinate.ts'

const maxPositions = 1_000

export class SampleOfRows {
  private readonly boxes = new GatheredBoxes()
  readonly positions: Position[] = []
  private readonly shapes: string[] = []
  private readonly mapping: ColumnMapping
  private readonly coordinates: Coordinates
  private readonly decimalMark: DecimalMark
  private readonly pairOrder: Layout['pairOrder']

  constructor(
    { columns, decimalMark, pairOrder }: Pick<Layout, 'columns' | 'decimalMark' | 'pairOrder'>,
    coordinates: Coordinates,
  ) {
    this.pairOrder = pairOrder
    this.mapping = new ColumnMapping(fieldsOfKind('feature'), columns)
    this.coordinates = coordinates
    this.decimalMark = decimalMark
  }

  get extent(): Box | null {
    return this.boxes.around()
  }

  add(record: SourceRecord) {
    const { fields } = this.mapping.assign(record.properties, new Set())
    try {
      const shape = readShape(record, fields, this.pairOrder)
      const position = shape === undefined ? this.positionOf(fields) : firstPosition(shape)
      if (position && projectionNamedBy(shape) === undefined) this.positions.push(position)
      const geometry = readLocation(shape, fields, {
        coordinates: this.coordinates,
        decimalMark: this.decimalMark,
      })
      this.boxes.add(extentOfGeometry(geometry))
      this.shapes.push(JSON.stringify(thinned(geometry)))
    } catch (error) {
      // The preview reports the row's problem.
      if (!(error instanceof Refusal)) throw error
    }
  }

  private positionOf(fields: ReadonlyMap<string, Source>): Position | undefined {
    return toPosition([fields.get('longitude')?.value, fields.get('latitude')?.value], this.decimalMark)
  }

  write(path: string) {
    const features = this.shapes.map(
      (geometry) => `{"type":"Feature","properties":{},"geometry":${geometry}}`,
    )
    writeFileSync(path, `{"type":"FeatureCollection","features":[${features.join(',\n')}]}\n`, {
      mode: 0o600,
    })
  }
}

function firstPosition(geometry: unknown): Position | undefined {
  const shape = geometry as { coordinates?: unknown; geometries?: unknown } | null
  const parts = Array.isArray(shape?.geometries) ? shape.geometries : [shape]
  let coordinates = parts.map((part) => part?.coordinates).find((some) => some !== undefined)
  while (Array.isArray(coordinates) && Array.isArray(coordinates[0])) coordinates = coordinates[0]
  return Array.isArray(coordinates) ? toPosition(coordinates) : undefined
}

function toPosition(values: readonly unknown[], decimalMark?: DecimalMark): Position | undefined {
  const [x, y] = values.slice(0, 2).map((value) => readCoordinate(value, decimalMark))
  return x === undefined || y === undefined ? undefined : [x, y]
}

function thinned(geometry: Geometry): Geometry {
  const step = Math.ceil(countPositions(geometry) / maxPositions)
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

const maxExamples = 3
const maxCharacters = 80
const maxValues = 40

export function columnsOfRows(rows: readonly (readonly (readonly [string, unknown])[])[]): FoundColumn[] {
  const found = new Map<string, Set<string>>()
  for (const row of rows)
    for (const [name, value] of row) {
      const values = found.get(name) ?? new Set()
      found.set(name, values)
      const text = value === null || value === undefined ? '' : shorten(value)
      if (text !== '' && values.size <= maxValues) values.add(text)
    }
  return [...found].map(([name, values]) => ({
    name,
    examples: [...values].slice(0, maxExamples),
    values: areWords(values) ? [...values] : null,
  }))
}

const areWords = (values: ReadonlySet<string>) =>
  values.size <= maxValues && [...values].every((value) => value.length < maxCharacters)

function shorten(value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value).trim()
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1).toWellFormed()}…` : text
}
