import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConvertedFormat } from '#domain/exports/export-format.ts'
import { type Gdal, loadGdal, writeInto } from '../../geometry/gdal.ts'
import { answerOrder } from '../../processes/processes.ts'
import type { ConvertAnswer, ConvertOrder } from './convert-rows.ts'
import { idOfFirst, type LayerToConvert } from './write-layers.ts'

answerOrder(answerTo, { memoryLimitBytes: 1024 ** 3 })

async function answerTo({ format, layers, folder, name }: ConvertOrder): Promise<ConvertAnswer> {
  const messages: string[] = []
  try {
    const gdal = await loadGdal((message) => messages.push(message))
    for (const layer of layers) await convert(gdal, { format, layer, folder, name })
    const names = await readdir(folder)
    return { paths: names.sort().map((file) => join(folder, file)) }
  } catch (error) {
    const first = messages.find((line) => line.startsWith('ERROR'))
    return { problem: first ?? String((error as Error).message) }
  }
}

const options: Readonly<Record<ConvertedFormat, string>> = {
  gpkg: '-f GPKG -nlt GEOMETRY',
  fgb: '-f FlatGeobuf -nlt GEOMETRY',
  kml: '-f KML',
  shp: '-f ESRI\u00a0Shapefile -lco ENCODING=UTF-8',
}

type Conversion = { format: ConvertedFormat; layer: LayerToConvert; folder: string; name: string }

async function convert(gdal: Gdal, { format, layer, folder, name }: Conversion) {
  const { datasets, errors } = await gdal.open(layer.path)
  const [dataset] = datasets
  if (!dataset) throw errors[0]
  const layerName = [name, layer.name].filter(Boolean).join('-')
  const flags = options[format].split(' ').map((word) => word.replace('\u00a0', ' '))
  // An index would change the order of the features. Without features, GDAL writes a file only with an index.
  if (format === 'fgb' && !layer.isEmpty) flags.push('-lco', 'SPATIAL_INDEX=NO')
  const all = [...flags, '-nln', layerName, '-where', `id <> '${idOfFirst}'`]
  await writeInto(gdal, folder, () => gdal.ogr2ogr(dataset, all, layerName))
  await gdal.close(dataset)
}
