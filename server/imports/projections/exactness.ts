/** A projection, or degrees of a datum, by its definition. */
type Defined = { wkt: string }

export const nameOfProjection = ({ wkt }: Defined) => /^\w+\["([^"]*)"/.exec(wkt)?.[1] ?? 'unnamed'

/** What should be known of its exactness, measured without grids. */
export function noticesOfProjection(projection: Defined): string[] {
  const name = nameOfProjection(projection)
  if (/North American Datum 1927|NAD27/i.test(projection.wkt))
    return [
      `Its projection (${name}) is of NAD27, the datum before 1983: what is imported may lie up to 70 m off.`,
    ]
  if (/HARN|High Accuracy Reference Network/i.test(projection.wkt))
    return [`Its projection (${name}) is of NAD83 HARN: what is imported may lie up to 1 m off.`]
  return []
}
