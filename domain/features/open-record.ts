/** How often a page reports its open record. */
export const openReportEveryMs = 10_000
/**
 * Without a report for this long the record counts as closed. Browsers limit pages in the background to once a
 * minute.
 */
export const openExpiresAfterMs = 90_000
