import type { Query, QueryClient } from '@tanstack/react-query'
import type { ChangedPart } from '#domain/activity/activity-rules.ts'
import type { Drawing } from '#domain/drawings/drawing.schema.ts'
import { createListeners } from '#web/ui/external-store.ts'
import { clientsKey } from './clients.api.ts'
import { type AnswerName, answerKey, answerNames, mapConfigurationQuery, mapKey } from './maps.api.ts'

// Maps each part of a map that may change to the queries that it affects.

export type MapChange = {
  mapId: string
  part: ChangedPart
  id: string | null
  /** Its current version; null if it is deleted or has none. */
  version: number | null
}

const singleFeatureQueries = ['feature', 'history', 'maintenance', 'files', 'notes'] as const

const featureQueries = [
  'feature',
  'history',
  'maintenance',
  'due',
  'features',
  'matches',
  'table',
  'position',
  'filter-counts',
  'work',
] as const

/** Queries that also depend on geometry and names. */
const landQueries = [
  ...featureQueries,
  'files',
  'removed',
  'co-located',
  'labels',
  'metadata-names',
  'shape-check',
  'shapes',
  'land-check',
  'parcels-as-of',
  'summary',
  // While no settings are applied, they are proposed from the features.
  'configuration',
  'activity',
  'bulk-preview',
] as const

const touchedAnswers: Record<ChangedPart, readonly AnswerName[]> = {
  // Geometry and names stay.
  status: [...featureQueries, 'summary', 'activity', 'bulk-preview'],
  maintenance: [...featureQueries, 'files', 'activity', 'bulk-preview'],
  feature: landQueries,
  features: landQueries,
  imports: [...landQueries, 'import-drafts'],
  files: ['files', 'reports', 'activity'],
  calendar: ['calendar', 'activity'],
  webhooks: ['webhooks', 'deliveries', 'activity'],
  // Visibility of personal data is compared when the new settings are loaded.
  configuration: ['configuration', 'configuration-versions', 'summary', 'activity'],
  fields: ['fields', 'feature', 'features', 'matches', 'table', 'position', 'bulk-preview', 'activity'],
  reports: ['reports', 'activity'],
  'report-settings': ['report-settings', 'report-form', 'activity'],
  // Merges also move files.
  notes: ['notes', 'files', 'reports', 'activity'],
  drawings: ['drawings', 'activity'],
  client: ['summary', 'activity'],
  everything: answerNames,
}

/** The last version of each thing for which queries were invalidated. */
const followed = new WeakMap<QueryClient, Map<string, number>>()

/** Invalidates the queries affected by these changes. Skips data already at that version, and duplicates. */
export function followChanges(client: QueryClient, changes: readonly MapChange[]) {
  listeners.call(changes)
  const news = changes.filter((change) => isNews(client, change))
  if (news.length === 0) return
  const publicBefore = new Map(
    news
      .filter(({ part }) => part === 'configuration')
      .map(({ mapId }) => [mapId, publicFields(client, mapId)]),
  )
  const invalidated = client.invalidateQueries({
    predicate: (query) => news.some((change) => isTouched(change, query) && !isCached(change, query)),
  })
  if (news.some(({ part }) => part !== 'drawings' && part !== 'files'))
    void client.invalidateQueries({ queryKey: clientsKey })
  if (publicBefore.size > 0) void invalidated.then(() => followPublicFields(client, publicBefore))
}

const listeners = createListeners<[changes: readonly MapChange[]]>()

/** Also reports changes of this page, possibly twice. Returns a function that stops it. */
export const onChanges = listeners.add

export function touchedBy(mapId: string, part: ChangedPart, id: string | null = null) {
  return { predicate: (query: Query) => isTouched({ mapId, part, id }, query) }
}

/** Things whose versions only grow, except after an import or a restored backup. */
const growing: Partial<Record<ChangedPart, string>> = {
  status: 'feature',
  maintenance: 'feature',
  feature: 'feature',
  configuration: 'configuration',
  client: 'client',
  everything: 'client',
}

function isNews(client: QueryClient, { mapId, part, id, version }: MapChange): boolean {
  const versions = followed.get(client) ?? new Map<string, number>()
  followed.set(client, versions)
  // Restored things start again at a lower version.
  if (part === 'features' || part === 'imports' || (part === 'everything' && version === null))
    for (const name of versions.keys()) if (name.startsWith(`${mapId} `)) versions.delete(name)
  const thing = growing[part]
  if (thing === undefined || version === null) return true
  const name = `${mapId} ${thing} ${id}`
  if ((versions.get(name) ?? 0) >= version) return false
  versions.set(name, version)
  return true
}

function isTouched({ mapId, part, id }: Omit<MapChange, 'version'>, { queryKey }: Query): boolean {
  const [root, mapOfKey, answer, thingOfKey] = queryKey
  const [ownRoot, ownMap] = mapKey(mapId)
  if (root !== ownRoot || mapOfKey !== ownMap) return false
  const isSingle = singleFeatureQueries.some((name) => name === answer)
  if (isWithinOne(part) && isSingle && id !== null && thingOfKey !== id) return false
  return touchedAnswers[part].some((name) => name === answer)
}

const isWithinOne = (part: ChangedPart) => ['status', 'maintenance', 'files', 'notes'].includes(part)

function isCached({ part, id, version }: MapChange, { queryKey, state: { data } }: Query): boolean {
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

/** Reloads features if their public fields changed. */
function followPublicFields(client: QueryClient, before: ReadonlyMap<string, string | undefined>) {
  for (const [mapId, fields] of before) {
    if (publicFields(client, mapId) === fields) continue
    for (const name of featureQueries) void client.invalidateQueries({ queryKey: answerKey(mapId, name) })
  }
}
