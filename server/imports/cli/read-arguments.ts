import { basename, extname } from 'node:path'
import { parseArgs } from 'node:util'
import { parse as parseCsv } from 'csv-parse/sync'
import { client } from '#domain/clients/client.schema.ts'
import { type FeatureKind, featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import { hasField } from '#domain/features/definitions.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { noOwnFields } from '#domain/features/own-fields.ts'
import { type MissingRule, missingRules, projectionCode } from '#domain/imports/import-draft.schema.ts'
import {
  dateOrders,
  decimalMarks,
  type ImportLayout,
  importLayout,
} from '#domain/imports/import-layout.schema.ts'
import { mapId as mapIdSchema } from '#domain/values/common.schema.ts'
import { UsageError } from '../../command.ts'
import type { ImportOptions } from '../import-options.ts'
import { fieldsOfKind, updatablePaths } from '../mapping/fields.ts'
import type { KeptColumns } from '../mapping/map-columns.ts'
import { type AreaUnit, areaUnits, oneOf } from '../mapping/read-values.ts'
import { isTimeZone } from '../values/time-zones.ts'

export type Command =
  | { command: 'help' }
  | { command: 'list'; mapId: string }
  | { command: 'undo'; importId: string; mapId: string | undefined; isConfirmed: boolean }
  | {
      command: 'import'
      file: string
      isConfirmed: boolean
      /** What the coordinates are in, where somebody says it. */
      projection: string | null
      /** Which of several layers is meant. */
      layer: string | null
      /** Or else it is what the file is called. */
      isSourceSaid: boolean
      options: ImportOptions
    }

const flags = {
  map: { type: 'string' },
  kind: { type: 'string' },
  'client-name': { type: 'string' },
  'client-location': { type: 'string' },
  type: { type: 'string' },
  field: { type: 'string', multiple: true },
  omit: { type: 'string', multiple: true },
  only: { type: 'string', multiple: true },
  source: { type: 'string' },
  'time-zone': { type: 'string' },
  'area-unit': { type: 'string' },
  'header-row': { type: 'string' },
  'geometry-column': { type: 'string' },
  'decimal-mark': { type: 'string' },
  dates: { type: 'string', multiple: true },
  join: { type: 'string', multiple: true },
  set: { type: 'string', multiple: true },
  layer: { type: 'string' },
  projection: { type: 'string' },
  'swap-coordinates': { type: 'boolean' },
  update: { type: 'string', multiple: true },
  missing: { type: 'string' },
  'replace-edits': { type: 'boolean' },
  'bring-back': { type: 'boolean' },
  yes: { type: 'boolean' },
  undo: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  if (values.help || args.length === 0) return { command: 'help' }
  const mapId = values.map === undefined ? undefined : readMapId(values.map)
  if (values.undo !== undefined) {
    if (!values.undo) throw new UsageError('--undo needs the id of an import')
    refusePositionals(positionals, '--undo')
    return { command: 'undo', importId: values.undo, mapId, isConfirmed: values.yes ?? false }
  }
  if (mapId === undefined) throw new UsageError('--map ID is missing: the map to import into')
  if (values.list) {
    refusePositionals(positionals, '--list')
    return { command: 'list', mapId }
  }
  const [file, ...others] = positionals
  if (!file) throw new UsageError('the file to import is missing')
  if (others.length > 0) throw new UsageError(`one file at a time, please; what is "${others[0]}"?`)
  const kind = oneOfWords('--kind', values.kind, featureKinds)
  if (!kind) throw new UsageError(`--kind is missing: one of ${featureKinds.join(', ')}`)
  const source = values.source ?? basename(file, extname(file))
  if (!source.trim()) throw new UsageError('--source must not be empty')
  const columns = readColumns(values.field ?? [], kind)
  const kept = readKept(values)
  const layout = readLayout(values, kind)
  const twice = [...Object.keys(layout.joined), ...Object.keys(layout.constants)].find((field) =>
    columns.has(field),
  )
  if (twice !== undefined) throw new UsageError(`--field ${twice}= is given, and --join or --set as well`)
  const type = readType(values.type, kind)
  if (type && columns.has('type')) throw new UsageError('--type and --field type= exclude each other')
  const areaUnit = oneOfWords<AreaUnit>('--area-unit', values['area-unit'], areaUnits)
  if (areaUnit && !hasField({ kind }, 'area')) throw new UsageError('--area-unit is for parcels')
  const timeZone = values['time-zone'] ?? 'UTC'
  if (!isTimeZone(timeZone))
    throw new UsageError(`--time-zone "${timeZone}" is no zone that is known here; America/New_York is one`)
  const areCoordinatesSwapped = values['swap-coordinates'] ?? false
  const projection = values.projection === undefined ? null : readProjectionCode(values.projection)
  const newClient = readClient(values['client-name'], values['client-location'])
  return {
    command: 'import',
    file,
    isConfirmed: values.yes ?? false,
    projection,
    layer: values.layer ?? null,
    isSourceSaid: values.source !== undefined,
    options: {
      mapId,
      kind,
      source,
      client: newClient,
      type,
      columns,
      layout,
      kept,
      timeZone,
      areaUnit,
      areCoordinatesSwapped,
      onlyFields: readUpdated(values.update, kind),
      missing: oneOfWords<MissingRule>('--missing', values.missing, missingRules),
      keepsEdits: !values['replace-edits'],
      bringsBack: values['bring-back'] ?? false,
    },
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true })
  } catch (error) {
    const [line = ''] = (error as Error).message.split(/\n|\. To specify/)
    throw new UsageError(line)
  }
}

function refusePositionals([first]: readonly string[], flag: string) {
  if (first !== undefined) throw new UsageError(`${flag} takes no file; what is "${first}"?`)
}

function readMapId(value: string): string {
  const read = mapIdSchema.safeParse(value)
  if (read.success) return read.data
  throw new UsageError(`--map "${value}" ${read.error.issues[0]?.message ?? 'is no map id'}`)
}

function oneOfWords<Word extends string>(flag: string, value: string | undefined, words: readonly Word[]) {
  if (value === undefined) return undefined
  const word = oneOf(words).read(value, { timeZone: 'UTC', areaUnit: 'acre' })
  if (word === undefined) throw new UsageError(`${flag} "${value}" is not one of ${words.join(', ')}`)
  return word as Word
}

function readProjectionCode(value: string): string {
  const read = projectionCode.safeParse(value.toUpperCase())
  if (read.success) return read.data
  throw new UsageError(`--projection "${value}" ${read.error.issues[0]?.message}`)
}

function readType(value: string | undefined, kind: FeatureKind): string | undefined {
  if (value === undefined) return undefined
  const types = Object.keys(kindTraits[kind].types)
  const { many } = kindLabels[kind]
  if (types.length === 0) throw new UsageError(`--type cannot be used: ${many.toLowerCase()} have no type`)
  return oneOfWords('--type', value, types)
}

function readColumns(pairs: readonly string[], kind: FeatureKind): Map<string, string> {
  const columns = new Map<string, string>()
  const known = Object.keys(fieldsOfKind(kind))
  for (const pair of pairs) {
    const [, field = '', column = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? []
    if (!field || !column) throw new UsageError(`--field "${pair}" must look like name=COLUMN`)
    if (!known.includes(field))
      throw new UsageError(`--field "${field}" is no field of ${kind}s; they have ${known.join(', ')}`)
    if (columns.has(field)) throw new UsageError(`--field ${field}= is given twice`)
    columns.set(field, column)
  }
  return columns
}

type LayoutFlags = {
  'header-row'?: string | undefined
  'geometry-column'?: string | undefined
  'decimal-mark'?: string | undefined
  dates?: string[] | undefined
  join?: string[] | undefined
  set?: string[] | undefined
}

function readLayout(values: LayoutFlags, kind: FeatureKind): ImportLayout {
  const row = values['header-row']
  const headerRow = row === undefined ? null : Number(row)
  const known = Object.keys(fieldsOfKind(kind))
  const layout = {
    headerRow,
    geometryColumn: values['geometry-column'] ?? null,
    decimalMark: oneOfWords('--decimal-mark', values['decimal-mark'], decimalMarks) ?? null,
    dates: Object.fromEntries(
      readPairs('--dates', 'COLUMN=day-first', values.dates).map(([column, order]) => [
        column,
        oneOfWords('--dates', order, dateOrders),
      ]),
    ),
    joined: Object.fromEntries(
      readPairs('--join', 'name=COLUMN,COLUMN', values.join, known).map(([field, columns]) => [
        field,
        columns === '' ? [] : readNames('--join', [columns]),
      ]),
    ),
    constants: Object.fromEntries(readPairs('--set', 'name=VALUE', values.set, known)),
  }
  const read = importLayout.safeParse(layout)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const flag = issue?.path[0] === 'headerRow' ? `--header-row "${row}"` : `--${String(issue?.path[0])}`
  throw new UsageError(`${flag} cannot be used: ${issue?.message}`)
}

/** `known` are the names that may stand before the sign. */
function readPairs(
  flag: string,
  example: string,
  pairs: readonly string[] = [],
  known?: readonly string[],
): [string, string][] {
  return pairs.map((pair) => {
    const at = flag === '--dates' ? pair.lastIndexOf('=') : pair.indexOf('=')
    if (at < 1) throw new UsageError(`${flag} "${pair}" must look like ${example}`)
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (known && !known.includes(name))
      throw new UsageError(`${flag} "${name}" is no field; there are ${known.join(', ')}`)
    return [name, value]
  })
}

function readKept({ omit = [], only = [] }: { omit?: string[]; only?: string[] }): KeptColumns | undefined {
  if (omit.length > 0 && only.length > 0) throw new UsageError('--omit and --only exclude each other')
  if (only.length > 0) return { only: readNames('--only', only) }
  return omit.length > 0 ? { omit: readNames('--omit', omit) } : undefined
}

/** Of features that are there already; 'geometry' is the shape, 'metadata' what fills no field. */
function readUpdated(lists: readonly string[] | undefined, kind: FeatureKind): string[] | undefined {
  if (lists === undefined) return undefined
  const fields = readNames('--update', lists)
  const known = updatablePaths(kind, noOwnFields)
  const unknown = fields.find((field) => !known.includes(field) && !field.startsWith('own.'))
  if (unknown !== undefined)
    throw new UsageError(`--update "${unknown}" is no field of ${kind}s; they have ${known.join(', ')}`)
  return fields
}

/** Names of columns parted by commas; one that has a comma itself is put in quotation marks, as in a CSV file. */
function readNames(flag: string, lists: readonly string[]): string[] {
  const names = lists.flatMap((list) => {
    try {
      return parseCsv(list, { trim: true, relax_column_count: true }).flat()
    } catch {
      throw new UsageError(`${flag} '${list}' has a quotation mark that is never closed`)
    }
  })
  if (names.length === 0 || names.includes('')) throw new UsageError(`${flag} must name columns: A,B`)
  return names
}

function readClient(name: string | undefined, location = '') {
  if (name === undefined) {
    if (location) throw new UsageError('--client-location goes with --client-name')
    return undefined
  }
  const read = client.pick({ name: true, location: true }).safeParse({ name: name.trim(), location })
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new UsageError(
    `--client-${issue?.path[0] === 'location' ? 'location' : 'name'} cannot be used: ${issue?.message}`,
  )
}
