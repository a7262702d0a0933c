/** Pages that a plugin brings along and that anybody may see: the interface's own documentation. */
const isOfPlugin = (url: string) => url === '/api/docs' || url.startsWith('/api/docs/')

/** Whether a route of ours answers with data, not with a page. */
export function isDataRoute(url: string): boolean {
  return /^\/(api|health|ogc)(\/|$)/.test(url) && !isOfPlugin(url)
}
