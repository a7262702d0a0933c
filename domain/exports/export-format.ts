// What features can be taken out as, without any schema library: the page's menu needs it.

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

type FormatFacts = {
  label: string
  /** What it is good for, and what it cannot hold. */
  words: string
  /** Of the file's name. */
  ending: string
  mediaType: string
  /** Written by GDAL, at once as a whole: up to so many features as `mostConverted`. */
  isConverted: boolean
}

export const formatFacts = {
  geojson: {
    label: 'GeoJSON',
    words: 'For web maps and scripts. Holds everything.',
    ending: 'geojson',
    mediaType: 'application/geo+json',
    isConverted: false,
  },
  geojsonl: {
    label: 'GeoJSON lines',
    words: 'One feature a line, for scripts and very large files. Holds everything.',
    ending: 'geojsonl',
    mediaType: 'application/geo+json-seq',
    isConverted: false,
  },
  csv: {
    label: 'CSV',
    words: 'A table for any spreadsheet. Points have columns of their own, lines and areas are text (WKT).',
    ending: 'csv',
    mediaType: 'text/csv',
    isConverted: false,
  },
  xlsx: {
    label: 'Excel',
    words: 'A table for Excel. Shapes that are too long for a cell are left out.',
    ending: 'xlsx',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    isConverted: true,
  },
  gpkg: {
    label: 'GeoPackage',
    words: 'For QGIS and other programs for maps. Holds everything.',
    ending: 'gpkg',
    mediaType: 'application/geopackage+sqlite3',
    isConverted: true,
  },
  fgb: {
    label: 'FlatGeobuf',
    words: 'A small, fast file for programs for maps. Holds everything.',
    ending: 'fgb',
    mediaType: 'application/octet-stream',
    isConverted: true,
  },
  kml: {
    label: 'KML',
    words: 'For Google Earth.',
    ending: 'kml',
    mediaType: 'application/vnd.google-earth.kml+xml',
    isConverted: true,
  },
  gpx: {
    label: 'GPX',
    words: 'For GPS devices and phones. Points and lines only: areas are left out.',
    ending: 'gpx',
    mediaType: 'application/gpx+xml',
    isConverted: false,
  },
  shp: {
    label: 'Shapefile',
    words:
      'A zip for older programs. Names of columns are cut to 10 letters and texts to 254 bytes: GeoPackage is the better one.',
    ending: 'shp.zip',
    mediaType: 'application/zip',
    isConverted: true,
  },
} as const satisfies Readonly<Record<ExportFormat, FormatFacts>>

/** So many features become a file of those formats that are not written as a stream. */
export const mostConverted = 100_000

/** Columns of every export: who a row is. By them an import knows it again. */
export const identityColumns = ['id', 'kind', 'mapId'] as const

/** Columns that no field of a kind is, and that can be asked for. */
export const derivedColumns = ['parcel', 'nextDue', 'metadata'] as const
