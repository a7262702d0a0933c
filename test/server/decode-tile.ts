import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'

export type DecodedFeature = {
  layer: string
  /** 1 point, 2 line, 3 polygon. */
  type: number
  tags: Record<string, unknown>
  /** In tile units (0 to 4096) from the north-west corner. */
  parts: { x: number; y: number }[][]
}

export function decodeTile(bytes: Uint8Array): DecodedFeature[] {
  const { layers } = new VectorTile(new PbfReader(bytes))
  return Object.entries(layers).flatMap(([name, layer]) =>
    Array.from({ length: layer.length }, (_, index) => {
      const feature = layer.feature(index)
      return { layer: name, type: feature.type, tags: feature.properties, parts: feature.loadGeometry() }
    }),
  )
}

/** Positive for rings that are clockwise on the screen (y points down). */
export function ringArea(ring: readonly { x: number; y: number }[]): number {
  return ring.reduce((sum, to, index) => {
    const from = ring.at(index - 1) ?? to
    return sum + (from.x * to.y - to.x * from.y) / 2
  }, 0)
}
