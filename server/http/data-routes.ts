/** Public pages of a plugin: the documentation of the API. */
const isOfPlugin = (url: string) => url === '/api/docs' || url.startsWith('/api/docs/')

/** Whether one of our own routes returns data, not a page. */
export function isDataRoute(url: string): boolean {
  return /^\/(api|health|ogc)(\/|$)/.test(url) && !isOfPlugin(url)
}
