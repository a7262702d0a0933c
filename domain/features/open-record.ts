/** How often a page says again which record it has open. */
export const openSaidEveryMs = 10_000
/** A page that has not said so for this long has it open no more. A browser lets a page in the background speak once a minute. */
export const openKeptMs = 90_000
