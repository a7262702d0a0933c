import { type Field, singleFields } from '#domain/definition/definition.ts'
import { unquoteFormula } from '#domain/exports/csv-cell.ts'
import { derivedColumns, identityColumns } from '#domain/exports/export-format.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { fieldsOf, noOwnFields } from '#domain/features/own-fields.ts'
import type { FileFormat } from '../formats/read-records.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import type { RowContext } from './build-row.ts'
import { isCutText } from './cut-text.ts'
import { fieldsOfKind } from './fields.ts'
import { ColumnMapping, fieldsOfRecord, type KeptColumns } from './map-columns.ts'
import { isBlank } from './read-values.ts'

// Rows of our own exports: they say of which map they are, what they are, and by which id. They stay what they are, whatever
// the import is of, and their columns are called exactly like the fields.

export type OwnRow = { record: SourceRecord; context: RowContext }

/** They say who a row is, or follow from something else: nothing of it is read. */
const passedOver: ReadonlySet<string> = new Set([...identityColumns, ...derivedColumns])

export class OwnRows {
  /** Of all such rows; a field without one among them is not spoken of. */
  readonly columns = new Set<string>()
  /** Fields that the format of the file cannot hold: they stay as they are on the map. */
  readonly lost = new Set<string>()
  private readonly base: RowContext
  private readonly contexts = new Map<string, RowContext>()
  private readonly following = new Map<string, ReadonlySet<string>>()

  constructor(base: RowContext, kept: KeptColumns | undefined) {
    this.base = base
    for (const kind of Object.keys(definitions) as DefinedKind[]) {
      const fields = fieldsOfKind(kind, base.ownFields)
      const named = new Map(
        Object.keys(fields)
          .filter((name) => !fieldsOfRecord.has(name))
          .map((name) => [name, name]),
      )
      const mapping = new ColumnMapping(fields, named, kept)
      // Places of an export are always in degrees.
      const coordinates = { isSwapped: false }
      const context = { ...base, kind, mapping, coordinates, source: null, type: undefined }
      this.contexts.set(kind, { ...context, isOwnExport: true })
      const single = singleFields(fieldsOf(kind, base.ownFields ?? noOwnFields))
      this.following.set(kind, new Set(single.filter(([, field]) => follows(field)).map(([path]) => path)))
    }
  }

  /** Undefined for a row of anything else. */
  read(record: SourceRecord, format: FileFormat): OwnRow | undefined {
    // Hardly any file has such rows, and it may have a million others.
    if (!record.properties.some(([name]) => name === 'mapId')) return undefined
    const said = new Map(record.properties)
    const kind = String(said.get('kind'))
    const context = this.contexts.get(kind)
    const id = said.get('id')
    if (!context || said.get('mapId') !== this.base.mapId || isBlank(id)) return undefined
    const following = this.following.get(kind)
    const properties: [string, unknown][] = []
    if (format === 'kml') this.lost.add('further data')
    for (const [column, value] of record.properties) {
      const name = format === 'kml' ? nameInKml(column) : column
      // The title of an incident is its name in KML, too.
      if (name === undefined || (name !== column && !(name in context.mapping.fields))) continue
      const whole = wholeNameOf(name, Object.keys(context.mapping.fields))
      if (whole !== undefined) {
        this.lost.add(whole)
        continue
      }
      this.note(name)
      if (passedOver.has(name) || following?.has(name)) continue
      // A column of another kind.
      if (!(name in context.mapping.fields) && isBlank(value)) continue
      properties.push([name, format === 'csv' && typeof value === 'string' ? unquoteFormula(value) : value])
    }
    return {
      record: { ...record, id, properties },
      context: { ...context, ownMetadata: this.metadataOf(said.get('metadata')) },
    }
  }

  /** A cell of a Shapefile ends in the middle of a long list. */
  private metadataOf(value: unknown): unknown {
    if (typeof value !== 'string' || !isCutText(value) || isJson(value)) return value
    this.lost.add('further data')
    return undefined
  }

  private note(column: string) {
    if (this.columns.has(column)) return
    this.columns.add(column)
    // What somebody has said of the file's columns is looked for among these, too.
    this.base.mapping.canFill('id', [column])
  }
}

/** KML has elements for two of them, and a folder around all features. */
const namesInKml = new Map([
  ['Name', 'name'],
  ['Description', 'description'],
  ['Folder', undefined],
])
const nameInKml = (column: string) => (namesInKml.has(column) ? namesInKml.get(column) : column)

/** Names in a Shapefile have ten characters at most; two that become the same are numbered. */
const mostOfName = 10

function wholeNameOf(column: string, fields: readonly string[]): string | undefined {
  if (column.length !== mostOfName || fields.includes(column) || passedOver.has(column)) return undefined
  const start = column.replace(/_\d+$/, '')
  return [...fields, ...passedOver].find(
    (name) => name.length > mostOfName && (name.startsWith(column) || name.startsWith(start)),
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const follows = ({ followsFrom }: Field) => followsFrom !== undefined

/** Columns that no feature keeps: an import's summary does not name them. */
export const isOfOwnRows = (column: string) => passedOver.has(column)
