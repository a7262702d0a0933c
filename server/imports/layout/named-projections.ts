import { openGdal } from '../conversion/gdal.ts'
import type { SourceRecord } from '../formats/source-record.ts'
import { projectionNamedBy } from '../geometry/read-geometry.ts'
import { readShapeOf } from '../geometry/read-shape.ts'
import { ImportError } from '../import-error.ts'
import { findProjection } from '../projections/find-projection.ts'
import { openProjection, type Projection } from '../projections/projection.ts'

/** Each one is looked up in the register of projections. */
const mostNamed = 10

/**
 * Projections that shapes in a column name themselves (EWKT, EWKB, GeoJSON with `crs`), by their number, as the first rows have
 * them. Those that cannot be read are missing.
 */
export async function namedProjections(
  records: readonly SourceRecord[],
  column: string | undefined,
): Promise<ReadonlyMap<number, Projection>> {
  const numbers = new Set<number>()
  for (const { properties } of column === undefined ? [] : records) {
    const named = projectionNamedBy(readShapeOf(new Map(properties).get(column ?? '')))
    if (named !== undefined) numbers.add(named)
  }
  const found = new Map<number, Projection>()
  for (const number of [...numbers].slice(0, mostNamed)) {
    try {
      found.set(number, openProjection(await findProjection(await openGdal(), `EPSG:${number}`)))
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
    }
  }
  return found
}
