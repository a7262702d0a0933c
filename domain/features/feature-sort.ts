/** What the table of features can be sorted by. */
export const featureSortColumns = ['kind', 'name', 'type', 'severity', 'status', 'date', 'parcel'] as const
export type FeatureSortColumn = (typeof featureSortColumns)[number]

/** A leading '-' turns the order around; what has no such value stands last either way, equals are in list order. */
export type FeatureSort = FeatureSortColumn | `-${FeatureSortColumn}`
export const featureSorts: readonly FeatureSort[] = [
  ...featureSortColumns,
  ...featureSortColumns.map((column) => `-${column}` as const),
]

/** What the table begins with: what needs somebody first. */
export const firstFeatureSort: FeatureSort = 'status'
