import type { Query, QueryClient } from '@tanstack/react-query'
import type { ChangedPart } from '#domain/activity/activities.ts'
import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import { createListeners } from '#web/ui/external-store.ts'
import { clientsKey } from './clients.api.ts'
import { type AnswerName, answerKey, answerNames, mapConfigurationQuery, mapKey } from './maps.api.ts'

// What is asked for again after a change, whoever made it: the server tells which part of a map has changed, and here
// stands which answers hold something of it.

export type MapChange = {
  mapId: string
  part: ChangedPart
  /** Of the one thing that changed, where it was one. */
  id: string | null
  /** The one that it has by now; null where it is gone, or has none. */
  version: number | null
}

/** Answers of which each tells of one feature. */
const ofOne = ['feature', 'history', 'maintenance', 'files'] as const

const ofFeatures = [
  'feature',
  'history',
  'maintenance',
  'due',
  'features',
  'matches',
  'table',
  'position',
] as const

/** What also tells where features lie and what they are called. */
const ofLand = [
  ...ofFeatures,
  // Those of a maintenance entry come and go with it.
  'files',
  'removed',
  'co-located',
  'labels',
  'metadata-names',
  'shape-check',
  'summary',
  // Where nothing is applied, it is what the land proposes.
  'configuration',
  'activity',
  'bulk-preview',
] as const

const touchedAnswers: Record<ChangedPart, readonly AnswerName[]> = {
  // Neither where a feature lies nor what it is called.
  status: [...ofFeatures, 'summary', 'activity', 'bulk-preview'],
  maintenance: [...ofFeatures, 'files', 'activity', 'bulk-preview'],
  feature: ofLand,
  features: ofLand,
  // Whether an import can be undone, and which newer ones changed its features.
  imports: [...ofLand, 'import-drafts'],
  files: ['files', 'activity'],
  calendar: ['calendar', 'activity'],
  webhooks: ['webhooks', 'deliveries', 'activity'],
  // What the public sees of features is looked at when the new one is there.
  configuration: ['configuration', 'configuration-versions', 'summary', 'activity'],
  fields: ['fields', 'feature', 'features', 'matches', 'table', 'position', 'bulk-preview', 'activity'],
  drawings: ['drawings', 'activity'],
  client: ['summary', 'activity'],
  everything: answerNames,
}

/** For each thing the newest version for which everything was asked for again. */
const followed = new WeakMap<QueryClient, Map<string, number>>()

/**
 * Asks again for what is shown of the changed, and for nothing else: not for what the page holds in this version
 * already, as the answer to a change of its own, and not twice for one change.
 */
export function followChanges(client: QueryClient, changes: readonly MapChange[]) {
  listeners.call(changes)
  const news = changes.filter((change) => isNews(client, change))
  if (news.length === 0) return
  const publicBefore = new Map(
    news
      .filter(({ part }) => part === 'configuration')
      .map(({ mapId }) => [mapId, publicFields(client, mapId)]),
  )
  const asked = client.invalidateQueries({
    predicate: (query) => news.some((change) => isTouched(change, query) && !isHeld(change, query)),
  })
  if (news.some(({ part }) => part !== 'drawings' && part !== 'files'))
    void client.invalidateQueries({ queryKey: clientsKey })
  if (publicBefore.size > 0) void asked.then(() => followPublicFields(client, publicBefore))
}

const listeners = createListeners<[changes: readonly MapChange[]]>()

/** Reports every change that the page makes or hears of; its own may be reported twice. Returns a function that stops it. */
export const onChanges = listeners.add

/** The answers that a change of this part touches. */
export function touchedBy(mapId: string, part: ChangedPart, id: string | null = null) {
  return { predicate: (query: Query) => isTouched({ mapId, part, id }, query) }
}

/** Things whose versions only grow, as long as nothing is imported or brought back from a backup. */
const growing: Partial<Record<ChangedPart, string>> = {
  status: 'feature',
  maintenance: 'feature',
  feature: 'feature',
  configuration: 'configuration',
  client: 'client',
  everything: 'client',
}

function isNews(client: QueryClient, { mapId, part, id, version }: MapChange): boolean {
  const known = followed.get(client) ?? new Map<string, number>()
  followed.set(client, known)
  // What is taken away may come back, and begins anew.
  if (part === 'features' || part === 'imports' || (part === 'everything' && version === null))
    for (const name of known.keys()) if (name.startsWith(`${mapId} `)) known.delete(name)
  const thing = growing[part]
  if (thing === undefined || version === null) return true
  const name = `${mapId} ${thing} ${id}`
  if ((known.get(name) ?? 0) >= version) return false
  known.set(name, version)
  return true
}

function isTouched({ mapId, part, id }: Omit<MapChange, 'version'>, { queryKey }: Query): boolean {
  const [root, ofMap, answer, ofThing] = queryKey
  const [ownRoot, ownMap] = mapKey(mapId)
  if (root !== ownRoot || ofMap !== ownMap) return false
  // Other features keep theirs.
  const isOfOne = ofOne.some((name) => name === answer)
  if (isWithinOne(part) && isOfOne && id !== null && ofThing !== id) return false
  return touchedAnswers[part].some((name) => name === answer)
}

/** Parts of one feature, which leave the others alone. */
const isWithinOne = (part: ChangedPart) => ['status', 'maintenance', 'files'].includes(part)

/** Whether the answer has the change in it already: what it tells of the one thing is as new. */
function isHeld({ part, id, version }: MapChange, { queryKey, state: { data } }: Query): boolean {
  const [, , answer, ofThing] = queryKey
  if (data === undefined) return false
  if (part === 'drawings' && answer === 'drawings' && id !== null) {
    const drawing = (data as readonly Drawing[]).find((one) => one.id === id)
    return version === null ? drawing === undefined : drawing !== undefined && drawing.version >= version
  }
  const isOfThing =
    (part === 'configuration' && answer === 'configuration') ||
    ((part === 'status' || part === 'maintenance' || part === 'feature') &&
      answer === 'feature' &&
      ofThing === id)
  return isOfThing && version !== null && (data as { version: number }).version >= version
}

function publicFields(client: QueryClient, mapId: string): string | undefined {
  const answer = client.getQueryData(mapConfigurationQuery(mapId).queryKey)
  if (!answer) return undefined
  const { showPersonalData, publicMetadata } = answer.configuration
  return JSON.stringify([showPersonalData, publicMetadata])
}

/** Where the public sees something else of the features from now on, they are asked for again, too. */
function followPublicFields(client: QueryClient, before: ReadonlyMap<string, string | undefined>) {
  for (const [mapId, fields] of before) {
    if (publicFields(client, mapId) === fields) continue
    for (const name of ofFeatures) void client.invalidateQueries({ queryKey: answerKey(mapId, name) })
  }
}
