import { ImportError } from '../import-error.ts'

const readable =
  'GeoJSON, CSV, JSON arrays of records, Excel (xlsx, xls), OpenDocument (ods), Shapefile, File Geodatabase, GeoPackage, FlatGeobuf, Esri JSON, TopoJSON, KML, KMZ, GPX, and DXF are supported'

/** Commands of GDAL; `NAME` stands for the file, also in advice. */
const converters = {
  geometries: 'ogr2ogr -t_srs EPSG:4326 converted.geojson NAME',
  layers: 'ogr2ogr -t_srs EPSG:4326 converted.geojson NAME LAYER (ogrinfo NAME lists its layers)',
  zipped: 'ogr2ogr -t_srs EPSG:4326 converted.geojson /vsizip/NAME',
  table: 'ogr2ogr -f CSV converted.csv NAME',
  waypoints: 'ogr2ogr -t_srs EPSG:4326 converted.geojson NAME waypoints (or routes, or tracks)',
  drawing:
    'ogr2ogr -s_srs EPSG:NNNN -t_srs EPSG:4326 converted.geojson NAME (ask the author of the file for the EPSG code)',
} as const

export type ForeignFormat = {
  what: string
  convert?: keyof typeof converters
  advice?: string
  reader?: 'gdal' | 'zip' | 'workbook'
  ending?: string
}

export function otherFormat({ what, convert, advice }: ForeignFormat, fileName: string): ImportError {
  const name = /^[\w.,@%+/-]+$/.test(fileName) ? fileName : `'${fileName.replaceAll("'", `'\\''`)}'`
  const command = convert && converters[convert].replaceAll('NAME', () => name)
  const help = command ? `Convert it first, for example: ${command}` : advice?.replaceAll('NAME', () => name)
  return new ImportError(`The file is ${what}. ${readable}. ${help}`)
}

/** By its first bytes; undefined if our own readers may read it. */
export function recognizeForeign(start: Uint8Array): ForeignFormat | undefined {
  const text = Buffer.from(start).toString('latin1')
  if (text.trim() === '') throw new ImportError('The file is empty.')
  return ofBytes(text) ?? ofText(text.trimStart())
}

const byGdal = (
  what: string,
  ending: string,
  convert: keyof typeof converters = 'geometries',
): ForeignFormat => ({ what, convert, reader: 'gdal', ending })

const picture = (what: string): ForeignFormat => ({
  what: `an image (${what})`,
  advice: 'Ask its source for the map data instead.',
})

const workbook = (what: string): ForeignFormat => ({
  what,
  advice: 'Open it in Excel or LibreOffice, save it as "Excel Workbook (.xlsx)", and import that file.',
  reader: 'workbook',
})

const saveAsCsv = 'Save its table as CSV.'
const partOfShapefile = (what: string): ForeignFormat => ({
  what: `the ${what} of a Shapefile (the shapes are in its .shp)`,
  convert: 'geometries',
})

type Signature = readonly [test: string | RegExp | ((text: string) => boolean), format: ForeignFormat]

const formatIn = (signatures: readonly Signature[], text: string) =>
  signatures.find(([test]) =>
    typeof test === 'string' ? text.startsWith(test) : test instanceof RegExp ? test.test(text) : test(text),
  )?.[1]

const binarySignatures: readonly Signature[] = [
  ['\u001f\u008b', { what: 'compressed with gzip', advice: 'Unpack it first: gunzip NAME' }],
  [/^SQLite format 3.{53}GP(K|10)/s, byGdal('a GeoPackage', 'gpkg', 'layers')],
  ['SQLite format 3\u0000', { what: 'an SQLite database', convert: 'layers' }],
  [/^.{257}ustar/s, { what: 'a tar archive', advice: 'Unpack it first: tar -xf NAME' }],
  [/^RIFF.{4}WEBP/s, picture('WebP')],
  [isDbase, partOfShapefile('table')],
  ['\u0000\u0000\u0027\u000a', byGdal('a Shapefile', 'shp')],
  ['fgb', byGdal('a FlatGeobuf', 'fgb')],
  ['PAR1', { what: 'a Parquet file', convert: 'geometries' }],
  ['ARROW1', { what: 'an Arrow file', convert: 'geometries' }],
  ['\u00d0\u00cf\u0011\u00e0', workbook('an old Excel workbook (xls)')],
  ['%PDF', { what: 'a PDF', convert: 'layers' }],
  ['AC10', { what: 'a DWG drawing', advice: 'Save it as DXF or as a Shapefile first.' }],
  ['\u0089PNG', picture('PNG')],
  ['\u00ff\u00d8\u00ff', picture('JPEG')],
  ['GIF8', picture('GIF')],
  ['II*\u0000', picture('TIFF')],
  ['MM\u0000*', picture('TIFF')],
  [(text) => text.startsWith('BM') && text.includes('\u0000'), picture('BMP')],
  ['{\\rtf', { what: 'a text document (RTF)', advice: saveAsCsv }],
  [
    (text) => text.includes('\u0000\u0000'),
    {
      what: 'in an unknown format',
      advice:
        'If GDAL supports it (ogrinfo NAME), convert it first: ogr2ogr -t_srs EPSG:4326 converted.geojson NAME',
    },
  ],
]

/** dBASE: a version, a date, and a header whose length is a multiple of 32 bytes plus one. */
function isDbase(text: string): boolean {
  const at = (index: number) => text.charCodeAt(index)
  return at(0) === 3 && at(2) <= 12 && at(3) <= 31 && (at(8) + at(9) * 256) % 32 === 1
}

const zipFileHeader = 'PK\u0003\u0004'

const ofBytes = (text: string) =>
  text.startsWith(zipFileHeader) || text.startsWith('PK\u0005\u0006')
    ? ofZip(text)
    : formatIn(binarySignatures, text)

function ofZip(text: string): ForeignFormat {
  const names = text.split(zipFileHeader).slice(1).map(fileNameIn)
  const holds = (pattern: RegExp) => names.some((name) => pattern.test(name))
  if (holds(/^xl\/workbook\.bin$/)) return { ...workbook('a binary Excel workbook (xlsb)'), ending: 'xlsb' }
  if (holds(/^\[Content_Types\]\.xml|^xl\//))
    return holds(/^(word|ppt)\//)
      ? { what: 'an Office document', advice: saveAsCsv }
      : byGdal('an Excel workbook (xlsx)', 'xlsx', 'table')
  if (holds(/^mimetype: application\/vnd\.oasis\.opendocument\.spreadsheet/))
    return byGdal('an OpenDocument spreadsheet (ods)', 'ods', 'table')
  if (holds(/^mimetype: application\/vnd\.oasis/)) return { what: 'an OpenDocument file', advice: saveAsCsv }
  if (holds(/\.kml/i)) return { what: 'a KMZ', convert: 'geometries', reader: 'zip' }
  if (holds(/\.gdb\//i)) return { what: 'a zipped File Geodatabase', convert: 'zipped', reader: 'zip' }
  if (holds(/\.(shp|dbf|shx|prj|cpg)/i))
    return { what: 'a zipped Shapefile', convert: 'zipped', reader: 'zip' }
  if (holds(/\.(geo)?json|\.csv/i))
    return { what: 'a zip archive', advice: 'Unpack it first: unzip NAME', reader: 'zip' }
  return { what: 'a zip archive', convert: 'zipped', reader: 'zip' }
}

/**
 * Reads a name from a local file header without its first four bytes. OpenDocument names its type in its first file.
 */
function fileNameIn(header: string): string {
  const end = 26 + header.charCodeAt(22) + header.charCodeAt(23) * 256
  const name = header.slice(26, end)
  return name === 'mimetype' ? `${name}: ${header.slice(end, end + 100)}` : name
}

export const topoJson = byGdal('TopoJSON', 'topojson')
export const esriJson = byGdal('Esri JSON', 'json')

const textSignatures: readonly Signature[] = [
  [
    isScript,
    {
      what: 'a script (such as JSONP), not JSON',
      advice:
        'Remove the text before the first { or [ and after the last } or ], or download it without callback=.',
    },
  ],
  [/^\{\s*"type"\s*:\s*"Topology"/, topoJson],
  [/^\{.*"type"\s*:\s*"Topology"\s*,\s*"(objects|arcs|transform|bbox)"/s, topoJson],
  [/^\{.*"geometryType"\s*:\s*"esriGeometry/s, esriJson],
  [/^\{.*"features"\s*:\s*\[\s*\{\s*"(attributes"|geometry"\s*:\s*\{\s*"(rings|paths|points|x)")/s, esriJson],
  [/^(999\s+[^\n]*\s+)?0\s+SECTION\b/, byGdal('a DXF drawing', 'dxf', 'drawing')],
  [/^(PROJCS|GEOGCS|PROJCRS|GEOGCRS)\[/, partOfShapefile('projection')],
  [/^!table|^Version\s+\d+\s+Charset/i, { what: 'a MapInfo file', convert: 'geometries' }],
]

function ofText(text: string): ForeignFormat | undefined {
  if (text.startsWith('<')) return ofMarkup(text)
  return lengthOfAssignment(text) > 0 ? undefined : formatIn(textSignatures, text)
}

const comments = String.raw`(?:\s|/\*[\s\S]{0,10000}?\*/|//[^\n]{0,10000}\n|['"]use strict['"];?)`
const target = String.raw`(?:export\s+default|(?:export\s+)?(?:var|let|const)\s+[\w$]+\s*=|[\w$]+(?:\.[\w$]+|\[['"][\w$]+['"]\])*\s*=)`
const assignment = new RegExp(`^${comments}*${target}\\s*(?=[[{])`)

/**
 * Number of characters before the JSON in a script that assigns JSON to a variable, as in Leaflet's tutorials: `var
 * lots = {...};`. 0 for any other file. Scripts are never run.
 */
export const lengthOfAssignment = (start: string): number => assignment.exec(start)?.[0].length ?? 0

/**
 * `callback({...})`, `var land = {...}`, `export default [...]`, with comments before it; and prefixes that keep JSON
 * from being run.
 */
function isScript(text: string): boolean {
  const code = text.replace(/^(\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n|['"]use strict['"];?)+/, '')
  if (/^\)\]\}',?/.test(code) || /^(for|while)\s*\(/.test(code)) return true
  if (/^(typeof \w+ ?===?|function\b[^,]*\(|export (default|const)\b|module\.exports)/.test(code)) return true
  if (/^["[{]/.test(code)) return false
  return /^((var|let|const)\s+)?[\w$.[\]'"]+\s*((=|\()\s*[[{(]|&&\s*[\w$.]+\()/.test(code)
}

function ofMarkup(text: string): ForeignFormat | undefined {
  const start = /<(?:\w+:)?(\w+)/.exec(text.replace(/^(\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)+/, ''))
  const root = start?.[1]?.toLowerCase()
  const isGml = /<gml:|opengis\.net\/gml/.test(text)
  const gml: ForeignFormat = { what: 'a GML', convert: 'layers' }
  // Texts inside may hold web pages or cells of Excel, so the root element decides first.
  if (root === 'kml') return undefined
  if (root === 'gpx') return byGdal('a GPX', 'gpx', 'waypoints')
  if (root === 'svg') return picture('SVG')
  if (root === 'featurecollection' && isGml) return gml
  const isSpreadsheet = root === 'workbook' && text.includes('urn:schemas-microsoft-com:office:spreadsheet')
  if (isSpreadsheet || text.includes('urn:schemas-microsoft-com:office:excel'))
    return workbook('a table that Excel saved as a web page or XML')
  if (root === 'html' || /^<!doctype html|<(head|body|script)\b/i.test(text))
    return {
      what: 'a web page (HTML)',
      advice: 'The download may have failed. Open the file in a browser to see the message.',
    }
  return isGml ? gml : { what: 'XML', convert: 'geometries' }
}
