/** In the local storage of browsers that have made a report: only they load the code that sends it. */
export const hasReportsKey = 'poa.reports'
