import type { FeatureKind } from '#domain/definition/kinds.ts'
import { type ImportInput, readRecords } from '#server/imports/formats/read-records.ts'
import type { SourceRecord } from '#server/imports/formats/source-record.ts'
import { buildRow, type RowContext } from '#server/imports/mapping/build-row.ts'
import { fieldsOfKind } from '#server/imports/mapping/fields.ts'
import { ColumnMapping } from '#server/imports/mapping/map-columns.ts'

/** `chunkBytes` splits the content, as a slow connection does. */
export function inputOf(content: string | Uint8Array, name = 'file', chunkBytes = 65_536): ImportInput {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  async function* chunks() {
    for (let start = 0; start < bytes.length; start += chunkBytes)
      yield bytes.subarray(start, start + chunkBytes)
  }
  return { name, totalBytes: bytes.length, chunks: { [Symbol.asyncIterator]: chunks } }
}

export async function recordsOf(content: string | Uint8Array, name?: string, chunkBytes?: number) {
  const notices: string[] = []
  const records: (SourceRecord & { format: string })[] = []
  const input = inputOf(content, name, chunkBytes)
  for await (const record of readRecords(input, (notice) => notices.push(notice))) records.push(record)
  return { records, notices }
}

export function contextOf(
  kind: FeatureKind,
  options: Partial<RowContext> = {},
  columns: Record<string, string> = {},
): RowContext {
  const mapping = new ColumnMapping(fieldsOfKind(kind), new Map(Object.entries(columns)))
  return {
    kind,
    mapId: 'oak-hill',
    source: 'file',
    timeZone: 'UTC',
    areaUnit: 'acre',
    mapping,
    coordinates: { isSwapped: false },
    ...options,
  }
}

export function rowOf(
  kind: FeatureKind,
  properties: Record<string, unknown>,
  options?: Partial<RowContext>,
  columns?: Record<string, string>,
) {
  const record = { rowNumber: 1, properties: Object.entries({ lat: 34, lng: -111, ...properties }) }
  return buildRow(record, contextOf(kind, options, columns))
}

/** Throws if the row is refused. */
export function featureOf(...row: Parameters<typeof rowOf>) {
  const built = rowOf(...row)
  if (built.outcome === 'refused') throw new Error(`refused: ${built.reason}`)
  return built.feature
}

/** Undefined if the row is accepted. */
export function reasonOf(...row: Parameters<typeof rowOf>): string | undefined {
  const built = rowOf(...row)
  return built.outcome === 'refused' ? built.reason : undefined
}
