import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  Delivery,
  DeliveryPage,
  Endpoint,
  EndpointChange,
  Endpoints,
  EndpointWithSecret,
  NewEndpoint,
  SecretChange,
} from '#domain/webhooks/webhook.schema.ts'
import { getJson, inPages, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

const pathOf = (mapId: string, id?: string) => {
  const path = `/api/maps/${encodeURIComponent(mapId)}/webhooks`
  return id === undefined ? path : `${path}/${encodeURIComponent(id)}`
}

export function webhooksQuery(mapId: string) {
  return queryOptions({
    queryKey: answerKey(mapId, 'webhooks'),
    queryFn: ({ signal }) => getJson<Endpoints>(pathOf(mapId), {}, signal),
  })
}

const pageSize = 50

const followMs = 1_000
const idleMs = 5_000
const soonMs = 10_000

export function deliveriesQuery(mapId: string, id: string) {
  return infiniteQueryOptions({
    queryKey: [...answerKey(mapId, 'deliveries'), id] as const,
    ...inPages<DeliveryPage>(`${pathOf(mapId, id)}/deliveries`, { limit: pageSize }),
    refetchInterval: ({ state: { data } }) => {
      const soon = Date.now() + soonMs
      const isSoon = ({ nextTryAt }: Delivery) => nextTryAt !== null && Date.parse(nextTryAt) < soon
      return data?.pages[0]?.items.some(isSoon) ? followMs : idleMs
    },
  })
}

/** Only this answer contains the secret. */
export function addWebhook(mapId: string, endpoint: NewEndpoint): Promise<EndpointWithSecret> {
  return sendJson('POST', pathOf(mapId), { body: endpoint })
}

type Seen = Pick<Endpoint, 'id' | 'version'>

export function changeWebhook(
  mapId: string,
  { id, version }: Seen,
  change: EndpointChange,
): Promise<Endpoint> {
  return sendJson('PUT', pathOf(mapId, id), { body: change, ifMatch: version })
}

export function changeSecret(
  mapId: string,
  { id, version }: Seen,
  change: SecretChange,
): Promise<EndpointWithSecret> {
  return sendJson('POST', `${pathOf(mapId, id)}/secret`, { body: change, ifMatch: version })
}

export function removeWebhook(mapId: string, { id, version }: Seen): Promise<void> {
  return sendJson('DELETE', pathOf(mapId, id), { ifMatch: version })
}

export function sendTest(mapId: string, id: string): Promise<Delivery> {
  return sendJson('POST', `${pathOf(mapId, id)}/test`)
}

export function repeatDelivery(mapId: string, id: string, deliveryId: string): Promise<Delivery> {
  return sendJson('POST', `${pathOf(mapId, id)}/deliveries/${encodeURIComponent(deliveryId)}/repeat`)
}
