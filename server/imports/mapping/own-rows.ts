import { singleFields } from '#domain/definition/definition.ts'
import { unquoteFormula } from '#domain/exports/csv-cell.ts'
import { derivedColumns, identityColumns } from '#domain/exports/export-format.ts'
import { fieldsOf, noCustomFields } from '#domain/features/custom-fields.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { tryParseJson } from '../formats/parse-json.ts'
import type { FileFormat } from '../formats/read-records.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import type { RowContext } from './build-row.ts'
import { fieldsOfKind } from './fields.ts'
import { ColumnMapping, fieldsOfRecord, type StoredColumns } from './map-columns.ts'
import { isBlank } from './read-values.ts'

// Rows of our own exports name their map, kind and id. They keep their kind, whatever the import is of, and their
// columns have the names of fields.

export type OwnRow = { record: SourceRecord; context: RowContext }

const unreadColumns: ReadonlySet<string> = new Set([...identityColumns, ...derivedColumns])

export class OwnRows {
  readonly columns = new Set<string>()
  /** Fields that the format of the file cannot store: they stay unchanged on the map. */
  readonly lost = new Set<string>()
  private readonly base: RowContext
  private readonly contexts = new Map<string, RowContext>()
  private readonly following = new Map<string, ReadonlySet<string>>()

  constructor(base: RowContext, stored: StoredColumns | undefined) {
    this.base = base
    for (const kind of Object.keys(definitions) as DefinedKind[]) {
      const fields = fieldsOfKind(kind, base.customFields)
      const names = Object.keys(fields).filter((name) => !fieldsOfRecord.has(name))
      const mapping = new ColumnMapping(fields, new Map(names.map((name) => [name, name])), stored)
      // Exports are always in degrees.
      const coordinates = { isSwapped: false }
      const context = { ...base, kind, mapping, coordinates, source: null, type: undefined }
      this.contexts.set(kind, { ...context, isOwnExport: true })
      const following = singleFields(fieldsOf(kind, base.customFields ?? noCustomFields)).flatMap(
        ([path, field]) => (field.followsFrom === undefined ? [] : [path]),
      )
      this.following.set(kind, new Set(following))
    }
  }

  /** Found in other rows of the same file. */
  absorb({ columns, lost }: Pick<OwnRows, 'columns' | 'lost'>) {
    for (const column of columns) this.note(column)
    for (const column of lost) this.lost.add(column)
  }

  read(record: SourceRecord, format: FileFormat): OwnRow | undefined {
    // A quick check, since few files have such rows.
    if (!record.properties.some(([name]) => name === 'mapId')) return undefined
    const values = new Map(record.properties)
    const kind = String(values.get('kind'))
    const context = this.contexts.get(kind)
    const id = values.get('id')
    if (!context || values.get('mapId') !== this.base.mapId || isBlank(id)) return undefined
    const { fields } = context.mapping
    const properties: [string, unknown][] = []
    if (format === 'kml') this.lost.add('additional data')
    for (const [column, value] of record.properties) {
      const name = format === 'kml' && kmlNames.has(column) ? kmlNames.get(column) : column
      // The title of an incident is also its name in KML.
      if (name === undefined || (name !== column && !(name in fields))) continue
      const cutName = fullNameOf(name, Object.keys(fields))
      if (cutName !== undefined) {
        this.lost.add(cutName)
        continue
      }
      this.note(name)
      if (unreadColumns.has(name) || this.following.get(kind)?.has(name)) continue
      // Blank columns belong to the other kinds of the file.
      if (!(name in fields) && isBlank(value)) continue
      properties.push([name, format === 'csv' && typeof value === 'string' ? unquoteFormula(value) : value])
    }
    return {
      record: { ...record, id, properties },
      context: { ...context, ownMetadata: this.metadataOf(values.get('metadata')) },
    }
  }

  /** A Shapefile cuts a long list. */
  private metadataOf(value: unknown): unknown {
    if (typeof value !== 'string' || !maybeCut(value) || tryParseJson(value) !== undefined) return value
    this.lost.add('additional data')
    return undefined
  }

  private note(column: string) {
    if (this.columns.has(column)) return
    this.columns.add(column)
    // The base mapping checks that the columns of the user's settings exist.
    this.base.mapping.canFill('id', [column])
  }
}

/** Elements of KML with another name, and the folder of all features. */
const kmlNames = new Map([
  ['Name', 'name'],
  ['Description', 'description'],
  ['Folder', undefined],
])

/** A Shapefile cuts names after ten characters, and numbers those that become the same. */
const maxNameCharacters = 10

function fullNameOf(column: string, fields: readonly string[]): string | undefined {
  if (column.length !== maxNameCharacters || fields.includes(column) || unreadColumns.has(column))
    return undefined
  const start = column.replace(/_\d+$/, '')
  return [...fields, ...unreadColumns].find(
    (name) => name.length > maxNameCharacters && (name.startsWith(column) || name.startsWith(start)),
  )
}

export const isOwnColumn = (column: string) => unreadColumns.has(column)

// A cell of a Shapefile has 254 bytes, and ends with the last whole character; spaces at its end are lost.
const maxCellBytes = 254
const maxCharacterBytes = 4

const maybeCut = (text: string) => Buffer.byteLength(text) > maxCellBytes - maxCharacterBytes

export function isCutFrom(cell: string, text: string): boolean {
  if (Buffer.byteLength(text) <= maxCellBytes) return false
  const cut = new TextDecoder().decode(Buffer.from(text).subarray(0, maxCellBytes), { stream: true })
  return cut.trim() === cell.trim()
}
