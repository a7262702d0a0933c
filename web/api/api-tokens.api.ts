import { queryOptions } from '@tanstack/react-query'
import type { ApiToken, MadeApiToken, NewApiToken } from '#domain/access/api-token.schema.ts'
import { getJson, sendJson } from './http.ts'

export const apiTokensKey = ['api-tokens'] as const

/** The user's own tokens (null), or all tokens of a map. */
export type TokensOf = { mapId: string } | null

const pathOf = (of: TokensOf) =>
  of === null ? '/api/tokens' : `/api/maps/${encodeURIComponent(of.mapId)}/tokens`

export function apiTokensQuery(of: TokensOf) {
  return queryOptions({
    queryKey: [...apiTokensKey, of?.mapId ?? null],
    queryFn: ({ signal }) => getJson<{ items: ApiToken[] }>(pathOf(of), {}, signal),
  })
}

export function makeApiToken(token: NewApiToken): Promise<MadeApiToken> {
  return sendJson('POST', '/api/tokens', { body: token })
}

export function revokeApiToken(of: TokensOf, id: string): Promise<void> {
  return sendJson('DELETE', `${pathOf(of)}/${encodeURIComponent(id)}`)
}
