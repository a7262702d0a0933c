import type { TileQuery } from '#domain/features/filters.ts'

export type Parameters = Record<string, string | number | boolean | undefined>

export function addressWith(path: string, parameters: Parameters = {}): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== '') query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

export function tileAddress(mapId: string, filter: TileQuery) {
  const path = `/api/maps/${encodeURIComponent(mapId)}/tiles/{z}/{x}/{y}.mvt`
  return new URL(addressWith(path, filter), window.location.origin).href.replace(/%7B([zxy])%7D/g, '{$1}')
}

/** Tiles without the filter; null if nothing is filtered. */
export function restAddress(mapId: string, query: object): string | null {
  return Object.values(query).some((value) => value !== undefined) ? tileAddress(mapId, {}) : null
}
