import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { NewFeature } from '#domain/features/feature.schema.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { generateFeature } from './generate-features.ts'

export async function writeFeatures(
  path: string,
  count: number,
  toLine: (feature: NewFeature, index: number) => unknown,
  { start, between, end }: { start: string; between: string; end: string },
): Promise<void> {
  const file = createWriteStream(path)
  file.write(start)
  const linesAtOnce = 1_000
  for (let first = 0; first < count; first += linesAtOnce) {
    const lines = Array.from({ length: Math.min(linesAtOnce, count - first) }, (_, offset) =>
      JSON.stringify(toLine(generateFeature(first + offset), first + offset)),
    )
    const text = `${first === 0 ? '' : between}${lines.join(between)}`
    if (!file.write(text)) await once(file, 'drain')
  }
  file.end(end)
  await once(file, 'finish')
}

/** For a web page: only the properties that tiles carry, and coordinates rounded to decimeters. */
export function writeGeoJson(path: string, count: number): Promise<void> {
  return writeFeatures(path, count, toGeoJson, {
    start: '{"type":"FeatureCollection","features":[\n',
    between: ',\n',
    end: '\n]}\n',
  })
}

function toGeoJson(feature: NewFeature) {
  const { id, kind, geometry } = feature
  const { type = null, severity = null } = feature as { type?: string | null; severity?: string | null }
  const shapeOfType: Record<string, string> = { Point: 'point', LineString: 'line', Polygon: 'polygon' }
  const properties = { id, kind, shape: shapeOfType[geometry.type], type, severity }
  return { type: 'Feature', properties, geometry: shortened(geometry) }
}

export function shortened(geometry: Geometry): Geometry {
  const short = ([lng, lat]: Position): Position => [Number(lng.toFixed(6)), Number(lat.toFixed(6))]
  if (geometry.type === 'Point') return { type: 'Point', coordinates: short(geometry.coordinates) }
  if (geometry.type === 'LineString')
    return { type: 'LineString', coordinates: geometry.coordinates.map(short) }
  if (geometry.type === 'Polygon')
    return { type: 'Polygon', coordinates: geometry.coordinates.map((ring) => ring.map(short)) }
  return geometry
}
