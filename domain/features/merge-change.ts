type Values = Readonly<Record<string, unknown>>

/** A merge patch (RFC 7396). Null means unknown; groups are merged, lists replaced. */
export type FeatureChange = Values

/** RFC 7396, but null stays null: a feature has all of its fields. */
export function mergeChange(current: Values, change: FeatureChange): Values {
  const merged: Record<string, unknown> = { ...current }
  for (const [key, value] of Object.entries(change)) {
    const previous = current[key]
    // A geometry is one value: parts of two do not combine.
    merged[key] =
      key !== 'geometry' && isObject(value) && isObject(previous) ? mergeChange(previous, value) : value
  }
  return merged
}

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
