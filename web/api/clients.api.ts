import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client, ClientChange, ClientTotals, NewClient } from '#domain/clients/client.schema.ts'
import type { ClientSort } from '#domain/clients/client-sort.ts'
import { getJson, inPages, sendJson } from './http.ts'

export type ClientPage = { items: Client[]; total: number; next: string | null; totals?: ClientTotals }
export type ClientState = 'open' | 'archived'

const path = '/api/clients'
const addressOf = (id: string) => `${path}/${encodeURIComponent(id)}`
/** All visible pages are reloaded after a change: few large ones cost less than many small ones. */
const pageSize = 200

export const clientsKey = ['clients'] as const

type ClientFilters = { text: string; state: ClientState; sort: ClientSort; totals: boolean }

export function clientListQuery(filters: ClientFilters) {
  return infiniteQueryOptions({
    queryKey: [...clientsKey, filters],
    ...inPages<ClientPage>(path, { ...filters, mine: true, limit: pageSize }),
    placeholderData: keepPreviousData,
  })
}

export function clientQuery(id: string) {
  return queryOptions({
    queryKey: [...clientsKey, id],
    queryFn: ({ signal }) => getJson<Client>(addressOf(id), {}, signal),
  })
}

export function addClient(client: NewClient, idempotencyKey: string): Promise<Client> {
  return sendJson('POST', path, { body: client, idempotencyKey })
}

export function changeClient({ id, version }: Client, change: ClientChange): Promise<Client> {
  return sendJson('PATCH', addressOf(id), { body: change, ifMatch: version })
}

export function archiveClient({ id }: Client): Promise<Client> {
  return sendJson('POST', `${addressOf(id)}/archive`)
}

export function restoreClient({ id }: Client): Promise<Client> {
  return sendJson('POST', `${addressOf(id)}/restore`)
}
