import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConvertedFormat } from '#domain/exports/export-format.ts'
import { withoutControls } from '#domain/values/xml.ts'
import type { ColumnType, ExportColumn, Exporter, ExportItem } from '../export-columns.ts'
import { toJsonMembers } from '../write-geojson.ts'

// Writes the input of GDAL: GeoJSON, one feature per line. The first line is a sample that tells GDAL the
// type of each column. Otherwise GDAL would guess, and turn names that look like dates into dates.

export const idOfFirst = '(columns)'

export type LayerToConvert = { name: string; path: string; isEmpty: boolean }

type Column = ExportColumn & { sample: unknown }

export async function writeLayers<Item extends ExportItem>(
  { format, exporter, folder }: { format: ConvertedFormat; exporter: Exporter<Item>; folder: string },
  parts: AsyncIterable<readonly Item[]>,
): Promise<LayerToConvert[]> {
  const columns = columnsFor(format, exporter.columns)
  const layers = new Map<string, { path: string; file: FileHandle }>()
  async function write(name: string, text: string) {
    const path = join(folder, `${name || 'all'}.geojsonl`)
    const layer = layers.get(name) ?? { path, file: await open(path, 'wx', 0o600) }
    layers.set(name, layer)
    await layer.file.write(text)
  }
  const first = (name: string) =>
    layers.has(name) ? '' : lineOf(null, [idOfFirst, ...columns.slice(1).map(({ sample }) => sample)])
  const lineOf = (geometry: string | null, values: readonly unknown[]) => {
    return `{"type":"Feature","geometry":${geometry},"properties":{${toJsonMembers(columns, values)}}}\n`
  }
  let isEmpty = false
  try {
    for await (const rows of parts) {
      const texts = new Map<string, string>()
      for (const row of rows) {
        const name = layerFor(format, row)
        const values = valuesFor(format, exporter, row).map((value) => cellOf(format, value))
        texts.set(name, `${texts.get(name) ?? first(name)}${lineOf(row.geometry, values)}`)
      }
      for (const [name, text] of texts) await write(name, text)
    }
    isEmpty = layers.size === 0
    if (isEmpty) await write(emptyLayer(format), first(emptyLayer(format)))
  } finally {
    await Promise.all([...layers.values()].map(({ file }) => file.close()))
  }
  return [...layers].map(([name, { path }]) => ({ name, path, isEmpty }))
}

function columnsFor(format: ConvertedFormat, columns: readonly ExportColumn[]): Column[] {
  const withSample = columns.map((column) => ({ ...column, sample: sampleOf(format, column.type) }))
  if (needsNameColumn(format, columns)) return [...withSample, { name: 'name', type: 'text', sample: 'text' }]
  return withSample
}

const needsNameColumn = (format: ConvertedFormat, columns: readonly ExportColumn[]) =>
  format === 'kml' && !columns.some(({ name }) => name === 'name')

function valuesFor<Item extends ExportItem>(
  format: ConvertedFormat,
  exporter: Exporter<Item>,
  row: Item,
): unknown[] {
  const values = exporter.valuesOf(row)
  if (needsNameColumn(format, exporter.columns)) return [...values, row.name]
  if (format !== 'kml') return values
  return values.map((value, index) => (exporter.columns[index]?.name === 'name' ? row.name : value))
}

function cellOf(format: ConvertedFormat, value: unknown): unknown {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean')
    return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return format === 'kml' ? withoutControls(text) : text
}

/** A Shapefile has one layer per shape; the other formats have one layer. */
function layerFor(format: ConvertedFormat, { shape, geometry }: ExportItem): string {
  if (format !== 'shp') return ''
  return shape === 'point' && geometry.startsWith('{"type":"MultiPoint"') ? 'multipoints' : `${shape}s`
}

const emptyLayer = (format: ConvertedFormat) => (format === 'shp' ? 'points' : '')

function sampleOf(format: ConvertedFormat, type: ColumnType): unknown {
  if (type === 'number') return 0.5
  if (type === 'flag') return true
  if (type === 'day') return '2000-01-01'
  return type === 'instant' && format !== 'shp' ? '2000-01-01T00:00:00.000Z' : 'text'
}
