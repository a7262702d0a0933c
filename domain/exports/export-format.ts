// No schema library: the page's menu needs this.

export const exportFormats = [
  'geojson',
  'geojsonl',
  'csv',
  'xlsx',
  'gpkg',
  'fgb',
  'kml',
  'gpx',
  'shp',
] as const
export type ExportFormat = (typeof exportFormats)[number]

export const convertedFormats = ['gpkg', 'fgb', 'kml', 'shp'] as const satisfies ExportFormat[]
export type ConvertedFormat = (typeof convertedFormats)[number]
export const isConverted = (format: ExportFormat): format is ConvertedFormat =>
  convertedFormats.some((one) => one === format)

type FormatFacts = {
  label: string
  words: string
  ending: string
  mediaType: string
}

export const formatFacts = {
  geojson: {
    label: 'GeoJSON',
    words: 'For web maps and scripts. Includes all data.',
    ending: 'geojson',
    mediaType: 'application/geo+json',
  },
  geojsonl: {
    label: 'GeoJSON lines',
    words: 'One feature per line, for scripts and very large files. Includes all data.',
    ending: 'geojsonl',
    mediaType: 'application/geo+json-seq',
  },
  csv: {
    label: 'CSV',
    words: 'For any spreadsheet.',
    ending: 'csv',
    mediaType: 'text/csv',
  },
  xlsx: {
    label: 'Excel',
    words: 'For Excel and other spreadsheets.',
    ending: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  gpkg: {
    label: 'GeoPackage',
    words: 'For QGIS and other mapping software. Includes all data.',
    ending: 'gpkg',
    mediaType: 'application/geopackage+sqlite3',
  },
  fgb: {
    label: 'FlatGeobuf',
    words: 'A small, fast file for mapping software. Includes all data.',
    ending: 'fgb',
    mediaType: 'application/octet-stream',
  },
  kml: {
    label: 'KML',
    words: 'For Google Earth.',
    ending: 'kml',
    mediaType: 'application/vnd.google-earth.kml+xml',
  },
  gpx: {
    label: 'GPX',
    words: 'For GPS devices and phones. Points and lines only, no areas.',
    ending: 'gpx',
    mediaType: 'application/gpx+xml',
  },
  shp: {
    label: 'Shapefile',
    words:
      'A zip file for older software. Limits column names to 10 letters and text to 254 bytes. We recommend GeoPackage instead.',
    ending: 'shp.zip',
    mediaType: 'application/zip',
  },
} as const satisfies Readonly<Record<ExportFormat, FormatFacts>>

/** Tables for people, or with names and values as imports read them. */
export const exportForms = ['reading', 'import'] as const
export type ExportForm = (typeof exportForms)[number]

export const formFacts: Readonly<Record<ExportForm, { label: string; words: string }>> = {
  reading: {
    label: 'For reading',
    words: 'Looks like the table: labels, words, and local dates. No shapes or IDs.',
  },
  import: {
    label: 'For re-import',
    words: 'Edit the file and import it to update these records. Has IDs, locations, and shapes.',
  },
}

/** Offered first. */
export const commonFormats: readonly ExportFormat[] = ['xlsx', 'csv', 'geojson']

const tableFormats: readonly ExportFormat[] = ['csv', 'xlsx']
export const hasForms = (format: ExportFormat) => tableFormats.includes(format)

/** Limit for files written while the client waits. */
export const maxConverted = 100_000

/** A sheet has 1,048,576 rows, with its header. */
const maxInSheet = 1_048_575

export function maxDownloaded(format: ExportFormat): number {
  if (isConverted(format)) return maxConverted
  return format === 'xlsx' ? maxInSheet : Number.POSITIVE_INFINITY
}

/** Limits in the background, where a process has 1 GB and half an hour (docs/exporting.md). */
export const maxInBackground: Readonly<Record<ConvertedFormat, number>> = {
  gpkg: 1_000_000,
  fgb: 1_000_000,
  kml: 1_000_000,
  shp: 300_000,
}

/** Columns of every export. Imports identify rows by them. */
export const identityColumns = ['id', 'kind', 'mapId'] as const

/** Requests every column that staff see. Staff pages require it, so that no column is silently omitted. */
export const allColumns = 'all'

export const derivedColumns = ['parcel', 'nextDue', 'metadata'] as const
