export const featureSortColumns = ['kind', 'name', 'type', 'severity', 'status', 'date', 'parcel'] as const
export type FeatureSortColumn = (typeof featureSortColumns)[number]

/** A leading '-' reverses the order. Features without a value come last either way; ties are in list order. */
export type FeatureSort = FeatureSortColumn | `-${FeatureSortColumn}`
export const featureSorts: readonly FeatureSort[] = [
  ...featureSortColumns,
  ...featureSortColumns.map((column) => `-${column}` as const),
]

export const firstFeatureSort: FeatureSort = 'status'
