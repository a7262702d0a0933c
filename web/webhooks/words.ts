import { definitions } from '#domain/features/definitions.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import type { Delivery, Endpoint, OffReason } from '#domain/webhooks/webhook.schema.ts'
import { isOfOneKind, type SentEvent, testEvent, webhookEvents } from '#domain/webhooks/webhook-event.ts'

export const webhookName = ({ description, url }: Pick<Endpoint, 'description' | 'url'>) =>
  description || (URL.parse(url)?.host ?? url)

export const offWords: Record<OffReason, string> = {
  'switched-off': 'A manager turned it off.',
  gone: 'The receiver returned 410 Gone.',
  failing: 'A message failed 8 times over more than a day. Fix the receiver, then turn the webhook on.',
}

export const eventLabel = (event: SentEvent) => (event === testEvent ? 'Test' : webhookEvents[event].label)

export function eventsText({ events, kinds }: Pick<Endpoint, 'events' | 'kinds'>): string {
  const say = (names: Endpoint['events']) => names.map(eventLabel).join(', ')
  const ofRecords = events.filter(isOfOneKind)
  const others = events.filter((event) => !isOfOneKind(event))
  const which = kinds.length === 0 ? '' : ` (${kinds.map((kind) => definitions[kind].label.many).join(', ')})`
  return [ofRecords.length > 0 && `${say(ofRecords)}${which}`, say(others)].filter(Boolean).join('; ')
}

const stateWords: Record<Delivery['state'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
}

export const stateLabel = ({ state, tries }: Delivery) =>
  state === 'waiting' && tries > 0 ? 'Failed, retrying' : stateWords[state]

/** '204 · 35 ms · 2 attempts'; the status of a failure is in its error. */
export function triesText({ state, status, tookMs, tries }: Delivery): string {
  const facts = [
    state === 'delivered' && String(status),
    tookMs !== null && `${formatNumber(tookMs)} ms`,
    tries > 1 && counted(tries, 'attempt'),
  ]
  return facts.filter(Boolean).join(' · ')
}
