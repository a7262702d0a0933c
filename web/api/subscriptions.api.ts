import { queryOptions } from '@tanstack/react-query'
import type {
  NewSubscription,
  OwnSubscriptions,
  SubscriptionChange,
} from '#domain/subscriptions/subscription.schema.ts'
import { getJson, type LinkKey, sendJson } from './http.ts'
import { answerKey } from './maps.api.ts'

export type SubscriptionLink = { mapId: string; id: string; key: string }

const pathOf = (mapId: string, rest = '') => `/api/maps/${encodeURIComponent(mapId)}/subscriptions${rest}`
const ownPath = ({ mapId, id }: SubscriptionLink, rest = '') =>
  pathOf(mapId, `/${encodeURIComponent(id)}${rest}`)
const keyOf = ({ key }: SubscriptionLink): LinkKey => ({ 'subscription-key': key })
const itemPath = (own: SubscriptionLink, itemId: string, rest = '') =>
  ownPath(own, `/own/${encodeURIComponent(itemId)}${rest}`)

export const subscribe = (mapId: string, subscription: NewSubscription): Promise<{ sentTo: string }> =>
  sendJson('POST', pathOf(mapId), { body: subscription })

export function ownSubscriptionsQuery(own: SubscriptionLink) {
  return queryOptions({
    queryKey: [...answerKey(own.mapId, 'subscriptions'), own.id] as const,
    queryFn: ({ signal }) => getJson<OwnSubscriptions>(ownPath(own), {}, signal, { linkKey: keyOf(own) }),
  })
}

const post = (own: SubscriptionLink, path: string): Promise<OwnSubscriptions> =>
  sendJson('POST', path, { body: {}, linkKey: keyOf(own) })

export const confirmSubscription = (own: SubscriptionLink) => post(own, ownPath(own, '/confirm'))
export const endSubscription = (own: SubscriptionLink, itemId: string) =>
  post(own, itemPath(own, itemId, '/end'))
export const endAllSubscriptions = (own: SubscriptionLink) => post(own, ownPath(own, '/end-all'))

export const changeSubscription = (
  own: SubscriptionLink,
  itemId: string,
  change: SubscriptionChange,
): Promise<OwnSubscriptions> =>
  sendJson('PATCH', itemPath(own, itemId), { body: change, linkKey: keyOf(own) })
