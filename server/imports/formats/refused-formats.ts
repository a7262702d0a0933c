import { ImportError } from '../import-error.ts'
import { lengthOfAssignment } from './unwrap-script.ts'

// Files of other kinds: what they are, known by their content, and the command that makes of them what can be imported.

const readable =
  'GeoJSON, CSV, JSON arrays of records, Excel (xlsx, xls), OpenDocument (ods), Shapefile, File Geodatabase, GeoPackage, FlatGeobuf, Esri JSON, TopoJSON, KML, KMZ, GPX and DXF can be imported'

/** GDAL's tool; `NAME` stands for the file, in advice as well. */
const converters = {
  geometries: 'ogr2ogr -t_srs EPSG:4326 converted.geojson NAME',
  layers: 'ogr2ogr -t_srs EPSG:4326 converted.geojson NAME LAYER (ogrinfo NAME lists its layers)',
  zipped: 'ogr2ogr -t_srs EPSG:4326 converted.geojson /vsizip/NAME',
  table: 'ogr2ogr -f CSV converted.csv NAME',
  waypoints: 'ogr2ogr -t_srs EPSG:4326 converted.geojson NAME waypoints (or routes, or tracks)',
  drawing:
    'ogr2ogr -s_srs EPSG:NNNN -t_srs EPSG:4326 converted.geojson NAME (who made it knows the number of its projection)',
} as const

/** `reader` reads it where there is one, under a name with this ending; the command line names what converts it. */
export type ForeignFormat = {
  what: string
  convert?: keyof typeof converters
  advice?: string
  reader?: 'gdal' | 'zip' | 'workbook'
  ending?: string
}
type Format = ForeignFormat

/** The same words for every one of them. */
export function otherFormat({ what, convert, advice }: Format, fileName: string): ImportError {
  const name = /^[\w.,@%+/-]+$/.test(fileName) ? fileName : `'${fileName.replaceAll("'", `'\\''`)}'`
  const command = convert && converters[convert].replaceAll('NAME', () => name)
  const help = command ? `Convert it first, for example: ${command}` : advice?.replaceAll('NAME', () => name)
  return new ImportError(`The file is ${what}; ${readable}. ${help}`)
}

/** Throws an ImportError where a file begins like something that our own readers cannot read. */
export function refuseOtherFormats(start: Uint8Array, fileName: string) {
  const format = recognizeForeign(start)
  if (format) throw otherFormat(format, fileName)
}

/** What a file is that our own readers cannot read, by its first bytes; undefined where they may. */
export function recognizeForeign(start: Uint8Array): ForeignFormat | undefined {
  const text = Buffer.from(start).toString('latin1')
  if (text.trim() === '') throw new ImportError('The file is empty.')
  return ofBytes(text) ?? ofText(text.trimStart())
}

const picture = (what: string): Format => ({
  what: `a picture (${what})`,
  advice: 'Ask its source for the parcels or places themselves.',
})

/** Of Excel, in another format than xlsx. */
const workbook = (what: string): Format => ({
  what,
  advice: 'Open it in Excel or LibreOffice, save it as "Excel Workbook (.xlsx)", and import that file.',
  reader: 'workbook',
})

const shapefile: Format = { what: 'a Shapefile', convert: 'geometries', reader: 'gdal', ending: 'shp' }

const signatures: readonly (readonly [start: string, Format])[] = [
  ['\u0000\u0000\u0027\u000a', shapefile],
  ['fgb', { what: 'a FlatGeobuf', convert: 'geometries', reader: 'gdal', ending: 'fgb' }],
  ['PAR1', { what: 'a Parquet file', convert: 'geometries' }],
  ['ARROW1', { what: 'an Arrow file', convert: 'geometries' }],
  ['\u00d0\u00cf\u0011\u00e0', workbook('an old Excel workbook (xls)')],
  ['%PDF', { what: 'a PDF', convert: 'layers' }],
  ['AC10', { what: 'a DWG drawing', advice: 'Have it saved as DXF or as a Shapefile first.' }],
  ['\u0089PNG', picture('PNG')],
  ['\u00ff\u00d8\u00ff', picture('JPEG')],
  ['GIF8', picture('GIF')],
  ['II*\u0000', picture('TIFF')],
  ['MM\u0000*', picture('TIFF')],
  ['BM', picture('BMP')],
  ['{\\rtf', { what: 'a text document (RTF)', advice: 'Save its table as CSV.' }],
]

function ofBytes(text: string): Format | undefined {
  if (text.startsWith(headerOfFile) || text.startsWith('PK\u0005\u0006')) return ofZip(text)
  if (text.startsWith('\u001f\u008b'))
    return { what: 'compressed with gzip', advice: 'Unpack it first: gunzip NAME' }
  if (text.startsWith('SQLite format 3\u0000'))
    return text.slice(68, 71) === 'GPK' || text.slice(68, 72) === 'GP10'
      ? { what: 'a GeoPackage', convert: 'layers', reader: 'gdal', ending: 'gpkg' }
      : { what: 'an SQLite database', convert: 'layers' }
  if (text.slice(257, 262) === 'ustar')
    return { what: 'a tar archive', advice: 'Unpack it first: tar -xf NAME' }
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return picture('WebP')
  if (isTableOfShapefile(text))
    return { what: 'the table of a Shapefile (its places are in the .shp beside it)', convert: 'geometries' }
  const found = signatures.find(
    ([start]) => text.startsWith(start) && (start !== 'BM' || text.includes('\u0000')),
  )
  if (found) return found[1]
  return text.includes('\u0000\u0000') ? { what: 'no text', advice: unknownAdvice } : undefined
}

const unknownAdvice =
  'Where GDAL knows it (ogrinfo NAME), convert it first: ogr2ogr -t_srs EPSG:4326 converted.geojson NAME'

/** dBASE: a version, a date, and a header of whole 32 bytes and one. */
function isTableOfShapefile(text: string): boolean {
  const at = (index: number) => text.charCodeAt(index)
  return at(0) === 3 && at(2) <= 12 && at(3) <= 31 && (at(8) + at(9) * 256) % 32 === 1
}

/** Each file of an archive begins with it. */
const headerOfFile = 'PK\u0003\u0004'

/** What an archive is shows in the names of its first files. */
function ofZip(text: string): Format {
  const names = text.split(headerOfFile).slice(1).map(nameOf)
  const holds = (pattern: RegExp) => names.some((name) => pattern.test(name))
  if (holds(/^xl\/workbook\.bin$/)) return { ...workbook('a binary Excel workbook (xlsb)'), ending: 'xlsb' }
  if (holds(/^\[Content_Types\]\.xml|^xl\//))
    return holds(/^(word|ppt)\//)
      ? { what: 'an Office document', advice: 'Save its table as CSV.' }
      : { what: 'an Excel workbook (xlsx)', convert: 'table', reader: 'gdal', ending: 'xlsx' }
  if (holds(/^mimetype: application\/vnd\.oasis\.opendocument\.spreadsheet/))
    return { what: 'an OpenDocument spreadsheet (ods)', convert: 'table', reader: 'gdal', ending: 'ods' }
  if (holds(/^mimetype: application\/vnd\.oasis/))
    return { what: 'an OpenDocument file', advice: 'Save its table as CSV.' }
  if (holds(/\.kml/i)) return { what: 'a KMZ', convert: 'geometries', reader: 'zip' }
  if (holds(/\.gdb\//i)) return { what: 'a zipped File Geodatabase', convert: 'zipped', reader: 'zip' }
  if (holds(/\.(shp|dbf|shx|prj|cpg)/i))
    return { what: 'a zipped Shapefile', convert: 'zipped', reader: 'zip' }
  if (holds(/\.(geo)?json|\.csv/i))
    return { what: 'a zip archive', advice: 'Unpack it first: unzip NAME', reader: 'zip' }
  return { what: 'a zip archive', convert: 'zipped', reader: 'zip' }
}

/** What stands behind the header's first four bytes begins with numbers; OpenDocument says in its first file what it is. */
function nameOf(rest: string): string {
  const from = 26
  const end = from + rest.charCodeAt(22) + rest.charCodeAt(23) * 256
  const name = rest.slice(from, end)
  return name === 'mimetype' ? `${name}: ${rest.slice(end, end + 100)}` : name
}

const script: Format = {
  what: 'a script (JSONP, say: JSON inside of a call), not JSON itself',
  advice:
    'Take away what stands before the first { or [ and behind the last } or ], or ask its source without callback=.',
}

export const topoJson: Format = {
  what: 'TopoJSON',
  convert: 'geometries',
  reader: 'gdal',
  ending: 'topojson',
}
export const esriJson: Format = { what: 'Esri JSON', convert: 'geometries', reader: 'gdal', ending: 'json' }

function ofText(text: string): Format | undefined {
  if (text.startsWith('<')) return ofMarkup(text)
  if (lengthOfAssignment(text) > 0) return undefined
  if (isScript(text)) return script
  if (text.startsWith('{')) return ofJson(text)
  if (/^(999\s+[^\n]*\s+)?0\s+SECTION\b/.test(text))
    return { what: 'a DXF drawing', convert: 'drawing', reader: 'gdal', ending: 'dxf' }
  if (/^(PROJCS|GEOGCS|PROJCRS|GEOGCRS)\[/.test(text))
    return {
      what: 'the projection of a Shapefile (its places are in the .shp beside it)',
      convert: 'geometries',
    }
  if (/^!table/i.test(text) || /^Version\s+\d+\s+Charset/i.test(text))
    return { what: 'a MapInfo file', convert: 'geometries' }
  return undefined
}

/** `callback({...})`, `var land = {...}`, `export default [...]`, with comments before it; and what keeps JSON from being run. */
function isScript(text: string): boolean {
  const code = text.replace(/^(\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*\n|['"]use strict['"];?)+/, '')
  if (/^\)\]\}',?/.test(code) || /^(for|while)\s*\(/.test(code)) return true
  if (/^(typeof \w+ ?===?|function\b[^,]*\(|export (default|const)\b|module\.exports)/.test(code)) return true
  if (/^["[{]/.test(code)) return false
  return /^((var|let|const)\s+)?[\w$.[\]'"]+\s*((=|\()\s*[[{(]|&&\s*[\w$.]+\()/.test(code)
}

/** Facts from the first members of an object. */
function ofJson(text: string): Format | undefined {
  if (
    /^\{\s*"type"\s*:\s*"Topology"/.test(text) ||
    /"type"\s*:\s*"Topology"\s*,\s*"(objects|arcs|transform|bbox)"/.test(text)
  )
    return topoJson
  const isEsri =
    /"geometryType"\s*:\s*"esriGeometry/.test(text) ||
    /"features"\s*:\s*\[\s*\{\s*"(attributes"|geometry"\s*:\s*\{\s*"(rings|paths|points|x)")/.test(text)
  return isEsri ? esriJson : undefined
}

function ofMarkup(text: string): Format | undefined {
  const root = /<(?:\w+:)?(\w+)/
    .exec(text.replace(/^(\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)+/, ''))?.[1]
    ?.toLowerCase()
  // Texts inside may hold web pages or cells of Excel, so the root element decides first.
  if (root === 'kml') return undefined
  if (root === 'gpx') return { what: 'a GPX', convert: 'waypoints', reader: 'gdal', ending: 'gpx' }
  if (root === 'svg') return picture('SVG')
  if (root === 'featurecollection' && isGml(text)) return gml
  if (text.includes('urn:schemas-microsoft-com:office:excel') || isSpreadsheetXml(root, text))
    return workbook('a table that Excel saved as a web page or XML')
  if (root === 'html' || /^<!doctype html|<(head|body|script)\b/i.test(text))
    return {
      what: 'a web page (HTML)',
      advice: 'A message may have come instead of the download: open it in a browser.',
    }
  return isGml(text) ? gml : { what: 'XML', convert: 'geometries' }
}

const gml: Format = { what: 'a GML', convert: 'layers' }
const isGml = (text: string) => /<gml:|opengis\.net\/gml/.test(text)

const isSpreadsheetXml = (root: string | undefined, text: string) =>
  root === 'workbook' && text.includes('urn:schemas-microsoft-com:office:spreadsheet')
