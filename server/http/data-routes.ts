const isOfPlugin = (url: string) => url === '/api/docs' || url.startsWith('/api/docs/')

export function isDataRoute(url: string): boolean {
  return /^\/(api|health|ogc)(\/|$)/.test(url) && !isOfPlugin(url)
}

export const isOfMap = (url = '') => /^\/(api\/maps|ogc)\/:mapId(\/|$)/.test(url)

export const isReading = (method: string) => ['GET', 'HEAD', 'OPTIONS'].includes(method)
