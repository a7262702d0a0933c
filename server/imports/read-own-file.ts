import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import { readRecords } from './formats/read-records.ts'
import type { SourceRecord } from './formats/source-record.ts'
import { ImportError } from './import-error.ts'
import { buildRow, type RowContext } from './mapping/build-row.ts'
import { fieldsOfKind } from './mapping/fields.ts'
import { ColumnMapping, fieldsOfRecord } from './mapping/map-columns.ts'
import { quoteValue } from './quote-value.ts'

/**
 * Features with a `kind`, a final id, and properties named like the fields; the rest is metadata. Throws an ImportError
 * for the first bad feature.
 */
export async function readOwnFile(name: string, text: string, mapId: string): Promise<NewFeature[]> {
  const features: NewFeature[] = []
  const contexts = new Map(kinds.map((kind) => [kind, contextOf(kind, mapId)]))
  async function* chunks() {
    yield new TextEncoder().encode(text)
  }
  for await (const record of readRecords({ name, chunks: chunks() }, () => {})) {
    const refuse = (reason: string) => new ImportError(`${name}: row ${record.rowNumber}: ${reason}.`)
    const kind = record.properties.find(([property]) => property === 'kind')?.[1]
    const context = contexts.get(kind as DefinedKind)
    if (!context) throw refuse(`its kind ${quoteValue(kind)} is not one of ${kinds.join(', ')}`)
    const row = buildRow(withoutKind(record), context)
    if (row.outcome === 'refused') throw refuse(row.reason)
    if (row.repaired !== undefined) throw refuse(row.repaired)
    features.push(row.feature)
  }
  return features
}

const kinds = Object.keys(definitions) as DefinedKind[]

/** Columns are selected for all fields, so that a value that is not understood is an error. */
function contextOf(kind: DefinedKind, mapId: string): RowContext {
  const fields = fieldsOfKind(kind)
  const named = new Map(
    Object.keys(fields).flatMap((field) => (fieldsOfRecord.has(field) ? [] : [[field, field]])),
  )
  return {
    kind,
    mapId,
    source: null,
    timeZone: 'UTC',
    areaUnit: 'acre',
    mapping: new ColumnMapping(fields, named),
    coordinates: { isSwapped: false },
  }
}

function withoutKind(record: SourceRecord): SourceRecord {
  return { ...record, properties: record.properties.filter(([property]) => property !== 'kind') }
}
