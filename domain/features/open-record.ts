export const openReportEveryMs = 10_000
/** Browsers limit pages in the background to one timer per minute. */
export const openExpiresAfterMs = 90_000
