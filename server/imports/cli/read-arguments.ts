import { parseArgs } from 'node:util'
import { parse as parseCsv } from 'csv-parse/sync'
import { client } from '#domain/clients/client.schema.ts'
import { type FeatureKind, featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import { noCustomFields } from '#domain/features/custom-fields.ts'
import { hasField } from '#domain/features/definitions.ts'
import { kindsBottomUp, kindTraits } from '#domain/features/kind-traits.ts'
import { type ImportSettings, importSettings, missingRules } from '#domain/imports/import-draft.schema.ts'
import { type AreaUnit, areaUnits, dateOrders, decimalMarks } from '#domain/imports/import-layout.schema.ts'
import { mapId as mapIdSchema } from '#domain/values/common.schema.ts'
import { isTimeZone } from '#domain/values/time-zones.ts'
import { UsageError } from '../../command.ts'
import type { ImportOptions } from '../import-features.ts'
import { findBadSettings, firstSettings } from '../import-settings.ts'
import { fieldsOfKind } from '../mapping/fields.ts'
import { oneOf } from '../mapping/read-values.ts'

export type ImportCommand = {
  command: 'import'
  file: string
  isConfirmed: boolean
  hasSource: boolean
  settings: ImportSettings
  options: Pick<ImportOptions, 'mapId' | 'client' | 'timeZone' | 'areaUnit' | 'kept'>
}
export type Command =
  | { command: 'help' }
  | { command: 'list'; mapId: string }
  | { command: 'undo'; importId: string; mapId: string | undefined; isConfirmed: boolean }
  | ImportCommand

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

const flagOfSetting: Readonly<Record<string, string>> = {
  columns: 'field',
  joined: 'join',
  constants: 'set',
  onlyFields: 'update',
  headerRow: 'header-row',
  geometryColumn: 'geometry-column',
}

export function readArguments(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  if (values.help || args.length === 0) return { command: 'help' }
  const mapId = values.map === undefined ? undefined : readMapId(values.map)
  const isConfirmed = values.yes ?? false
  if (values.undo !== undefined) {
    if (!values.undo) throw new UsageError('--undo needs the id of an import')
    refusePositionals(positionals, '--undo')
    return { command: 'undo', importId: values.undo, mapId, isConfirmed }
  }
  if (mapId === undefined) throw new UsageError('--map ID is missing: the map to import into')
  if (values.list) {
    refusePositionals(positionals, '--list')
    return { command: 'list', mapId }
  }
  const [file, ...others] = positionals
  if (!file) throw new UsageError('the file to import is missing')
  if (others.length > 0)
    throw new UsageError(`only one file can be imported at a time; unexpected "${others[0]}"`)
  const kind = oneOfWords('--kind', values.kind, featureKinds)
  if (!kind) throw new UsageError(`--kind is missing: one of ${featureKinds.join(', ')}`)
  const areaUnit = oneOfWords<AreaUnit>('--area-unit', values['area-unit'], areaUnits)
  if (areaUnit && !hasField({ kind }, 'area')) throw new UsageError('--area-unit is only for parcels')
  const timeZone = values['time-zone'] ?? 'UTC'
  if (!isTimeZone(timeZone))
    throw new UsageError(`--time-zone "${timeZone}" is not a known zone, such as America/New_York`)
  return {
    command: 'import',
    file,
    isConfirmed,
    hasSource: values.source !== undefined,
    settings: readSettings(file, kind, values),
    options: {
      mapId,
      client: readClient(values['client-name'], values['client-location']),
      timeZone,
      areaUnit,
      kept: readStoredColumns(values),
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
  if (first !== undefined) throw new UsageError(`${flag} does not take a file; unexpected "${first}"`)
}

function readMapId(value: string): string {
  const read = mapIdSchema.safeParse(value)
  if (read.success) return read.data
  throw new UsageError(`--map "${value}" ${read.error.issues[0]?.message ?? 'is not a map id'}`)
}

function oneOfWords<Word extends string>(flag: string, value: string | undefined, words: readonly Word[]) {
  if (value === undefined) return undefined
  const word = oneOf(words).read(value, { timeZone: 'UTC', areaUnit: 'acre' })
  if (word === undefined) throw new UsageError(`${flag} "${value}" is not one of ${words.join(', ')}`)
  return word as Word
}

function readSettings(
  file: string,
  kind: FeatureKind,
  values: ReturnType<typeof parse>['values'],
): ImportSettings {
  const first = firstSettings(file)
  const typesOfKind = Object.keys(kindTraits[kind].types)
  if (values.type !== undefined && typesOfKind.length === 0)
    throw new UsageError(`--type cannot be used: ${kindLabels[kind].many.toLowerCase()} have no type`)
  const columns = readPairs('--field', 'name=COLUMN', values.field)
  const joined = readPairs('--join', 'name=COLUMN,COLUMN', values.join)
  const dates = readPairs('--dates', 'COLUMN=day-first', values.dates)
  const row = values['header-row']
  const settings = {
    ...first,
    kind,
    source: values.source?.trim() ?? first.source,
    type: oneOfWords('--type', values.type, typesOfKind) ?? null,
    layer: values.layer ?? null,
    projection: values.projection?.toUpperCase() ?? null,
    areCoordinatesSwapped: values['swap-coordinates'] ?? false,
    columns,
    layout: {
      headerRow: row === undefined ? null : Number(row),
      geometryColumn: values['geometry-column'] ?? null,
      decimalMark: oneOfWords('--decimal-mark', values['decimal-mark'], decimalMarks) ?? null,
      dates: mapValues(dates, (order) => oneOfWords('--dates', order, dateOrders)),
      joined: mapValues(joined, (names) => (names === '' ? [] : readNames('--join', [names]))),
      constants: readPairs('--set', 'name=VALUE', values.set),
    },
    onlyFields: values.update ? readNames('--update', values.update) : null,
    missing: oneOfWords('--missing', values.missing, missingRules) ?? first.missing,
    keepsEdits: !values['replace-edits'],
    bringsBack: values['bring-back'] ?? false,
  }
  const read = importSettings.safeParse(settings)
  if (!read.success) {
    const [{ path, message } = { path: [], message: '' }] = read.error.issues
    throw badFlag(path.filter((part) => part !== 'layout').map(String), message)
  }
  refuseContradiction(read.data)
  const onlyFields = read.data.onlyFields?.filter((path) => !path.startsWith('own.')) ?? null
  const [bad] = findBadSettings({ ...read.data, onlyFields }, noCustomFields)
  if (bad) throw badFlag(bad.field.split(/\.(.*)/s).filter(Boolean), bad.reason)
  return read.data
}

const badFlag = ([setting = '', ...rest]: readonly string[], reason: string) =>
  new UsageError(`${[`--${flagOfSetting[setting] ?? setting}`, ...rest].join(' ')}: ${reason}`)

function refuseContradiction({ columns, layout, type }: ImportSettings) {
  const twice = [...Object.keys(layout.joined), ...Object.keys(layout.constants)].find((field) =>
    Object.hasOwn(columns, field),
  )
  if (twice !== undefined) throw new UsageError(`--field ${twice}= is given, and --join or --set as well`)
  if (type && columns.type !== undefined) throw new UsageError('--type and --field type= cannot be combined')
}

const mapValues = <Value>(pairs: Readonly<Record<string, string>>, map: (value: string) => Value) =>
  Object.fromEntries(Object.entries(pairs).map(([name, value]) => [name, map(value)]))

/** A column name may contain the sign, a field name not. */
function readPairs(flag: string, example: string, pairs: readonly string[] = []): Record<string, string> {
  const read: Record<string, string> = {}
  for (const pair of pairs) {
    const at = flag === '--dates' ? pair.lastIndexOf('=') : pair.indexOf('=')
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (at < 1 || (flag === '--field' && value === ''))
      throw new UsageError(`${flag} "${pair}" must look like ${example}`)
    if (Object.hasOwn(read, name)) throw new UsageError(`${flag} ${name}= is given twice`)
    read[name] = value
  }
  return read
}

function readStoredColumns({
  omit = [],
  only = [],
}: {
  omit?: string[]
  only?: string[]
}): ImportOptions['kept'] {
  if (omit.length > 0 && only.length > 0) throw new UsageError('--omit and --only cannot be combined')
  if (only.length > 0) return { only: readNames('--only', only) }
  return omit.length > 0 ? { omit: readNames('--omit', omit) } : undefined
}

/** Names separated by commas; those that contain one are in quotation marks, as in a CSV file. */
function readNames(flag: string, lists: readonly string[]): string[] {
  const names = lists.flatMap((list) => {
    try {
      return parseCsv(list, { trim: true, relax_column_count: true }).flat()
    } catch {
      throw new UsageError(`${flag} '${list}' has a quotation mark that is never closed`)
    }
  })
  if (names.length === 0 || names.includes('')) throw new UsageError(`${flag} must list columns: A,B`)
  return names
}

function readClient(name: string | undefined, location = '') {
  if (name === undefined) {
    if (location) throw new UsageError('--client-location requires --client-name')
    return undefined
  }
  const read = client.pick({ name: true, location: true }).safeParse({ name: name.trim(), location })
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new UsageError(`--client-${String(issue?.path[0])}: ${issue?.message}`)
}

const fieldLine = (kind: FeatureKind) => `  ${kind.padEnd(9)} ${Object.keys(fieldsOfKind(kind)).join(', ')}`

export const usage = `Imports a file of parcels, assets or incidents into a map.

  npm run import -- FILE --map ID --kind parcel|asset|incident [options]
  npm run import -- --list --map ID
  npm run import -- --undo IMPORT_ID

FILE is GeoJSON (also newline-delimited), CSV with latitude and longitude, a JSON array of records, an Excel (xlsx) or
OpenDocument (ods) table, a Shapefile (its zip, or the .shp with its other files), a File Geodatabase, GeoPackage,
FlatGeobuf, KML, KMZ, GPX or DXF.

  --map ID                the map to import into
  --kind KIND             parcel, asset or incident
  --client-name NAME      creates the client and its map if the map does not exist
  --client-location TEXT  the client's location
  --type TYPE             incident or asset type of all rows
  --field NAME=COLUMN     fills a field from a column; can be repeated
  --omit COLUMN,COLUMN    skips these columns: they are not stored with the feature
  --only COLUMN,COLUMN    stores only these columns, in addition to those that fill a field
  --join NAME=COL,COL     fills a field from several columns, with a space between them
  --set NAME=VALUE        the value of a field in all rows
  --header-row NUMBER     the row with the column names, if it is not recognized
  --geometry-column COL   the column with shapes, if it is not recognized (WKT, WKB, GeoJSON, or
                          latitude and longitude)
  --decimal-mark MARK     comma or point, if it is not recognized
  --dates COLUMN=ORDER    day-first or month-first, if the dates are ambiguous
  --layer NAME            the layer or sheet to import, if there are several
  --area-unit UNIT        unit of the area column: acre (default), sqft, m2, ha
  --projection EPSG:NNNN  the projection of the coordinates, if they are not longitude and latitude and
                          the file does not have it
  --swap-coordinates      coordinates are latitude, longitude
  --time-zone ZONE        zone of dates without one, such as America/New_York (default UTC)
  --source NAME           the name for all versions of the file (default: its name without
                          extension); rows with the same source and id update the same feature
  --update FIELD,FIELD    changes only these fields of existing features;
                          geometry is the shape, metadata the columns without a field
  --missing RULE          for features of the source that are no longer in the file:
                          keep (default), mark or remove
  --replace-edits         replaces edits with the values in the file
  --bring-back            restores features that users removed
  --yes                   imports even if the file looks wrong
  --list                  lists the imports of a map
  --undo IMPORT_ID        undoes an import
  --help                  this text

Fields:
${kindsBottomUp.map(fieldLine).join('\n')}

Columns without a field are stored with the feature, for staff only. See docs/importing.md for examples.`
