export const mediaTypes = {
  json: 'application/json',
  geoJson: 'application/geo+json',
  mergePatch: 'application/merge-patch+json',
  schema: 'application/schema+json',
  openApi: 'application/vnd.oai.openapi+json;version=3.0',
} as const
export type MediaType = (typeof mediaTypes)[keyof typeof mediaTypes]

export type Link = { rel: string; href: string; type?: MediaType; title?: string }

export const relations = {
  queryables: 'http://www.opengis.net/def/rel/ogc/1.0/queryables',
  schema: 'http://www.opengis.net/def/rel/ogc/1.0/schema',
}

export const pathOf = {
  document: '/api',
  conformance: '/conformance',
  collections: '/collections',
  collection: (id: string) => `/collections/${id}`,
  queryables: (id: string) => `/collections/${id}/queryables`,
  schema: (id: string) => `/collections/${id}/schema`,
  items: (id: string) => `/collections/${id}/items`,
  item: (id: string, featureId: string) => `/collections/${id}/items/${featureId}`,
}

/** RFC 8288. */
export const linkHeader = (links: readonly Link[]): string =>
  links
    .map(({ rel, href, type }) => `<${href}>; rel="${rel}"${type === undefined ? '' : `; type="${type}"`}`)
    .join(', ')
