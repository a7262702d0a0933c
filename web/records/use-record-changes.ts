import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FarPlace } from '#domain/features/shape-check.schema.ts'
import { formatList } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import {
  addFeature,
  changeFeature,
  featureDetailQuery,
  featureHistoryQuery,
  getFeature,
  type HistoryPoint,
  removeFeature,
  restoreFeature,
  restoreRemovedFeature,
  shapeCheckQuery,
  undoChange,
} from '#web/api/features.api.ts'
import { RequestError } from '#web/api/http.ts'
import { formatKilometers } from '#web/ui/measures.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { nextTurn, type Turn, turns } from '#web/ui/undo-offers.ts'
import {
  changesOf,
  type Draft,
  isNew,
  labelAt,
  patchOf,
  rebase,
  recordName,
  shapeToCheckOf,
} from './record-draft.ts'
import type { RecordDrafts } from './record-drafts.ts'

type Change = {
  name: string
  id: string
  /** A removed feature keeps its last version. */
  version: number
  changeId(): Promise<string>
  effect?: 'added' | 'removed'
  after?: Turn
}

type Listener = {
  onSaved(saved: FeatureDetail): void
  /** The addition is about to be undone: its details cannot be loaded. */
  onGone?(id: string): void
}

type Drafts = Pick<RecordDrafts, 'save' | 'discard'>

/** The place lies far from the map's land: the user confirms it first. */
export class FarPlaceError extends Error {
  readonly place: FarPlace
  constructor(place: FarPlace) {
    super(`This location is ${formatKilometers(place.kilometers)} from this map’s land.`)
    this.place = place
  }
}

export type Sending = { draft: Draft; mustRestore?: boolean; isFarConfirmed?: boolean }

/** Merges changes of other users first. */
export function useRecordChanges(mapId: string, drafts: Drafts, { onSaved, onGone }: Listener) {
  const client = useQueryClient()
  const saving = useMutation({
    async mutationFn({ draft, mustRestore = false, isFarConfirmed = false }: Sending) {
      if (!isFarConfirmed) await requirePlausiblePlace(client, draft)
      return mustRestore ? restoreAndSave(client, drafts, draft) : save(client, drafts, draft)
    },
    onSuccess(outcome) {
      if (outcome === null) return
      const { detail, sent } = outcome
      const { id, version } = detail
      accept(client, detail)
      drafts.discard(detail)
      onSaved(detail)
      const name = recordName(detail)
      const theirs = sent.updated.map((path) => labelAt(sent, path))
      const together = theirs.length === 0 ? '' : `, with changes by others: ${formatList(theirs)}`
      const done = isNew(sent.base) ? 'added' : 'saved'
      const changeId = () => changeOf(client, mapId, id, version)
      const change: Change = { name, id, version, changeId, ...(isNew(sent.base) && { effect: 'added' }) }
      const undo = () => undoing.mutate(change)
      // No version of the user's own to undo if another user made the same change.
      const dependsOn: UndoBasis = { mapId, of: 'feature', id, version }
      showSuccess(
        `‘${name}’ ${done}${together}`,
        version === sent.base.version ? undefined : { dependsOn, undo },
      )
    },
  })
  const removing = useMutation({
    mutationFn: (feature: FeatureDetail) => removeFeature(mapId, feature),
    onSuccess({ changeId }, feature) {
      const { id, version } = feature
      const name = recordName(feature)
      drafts.discard(feature)
      followChanges(client, [{ mapId, part: 'feature', id, version: null }])
      const dependsOn: UndoBasis = { mapId, of: 'removed feature', id, version, changeId }
      const change: Change = {
        name,
        id,
        version,
        changeId: () => Promise.resolve(changeId),
        effect: 'removed',
      }
      showSuccess(`‘${name}’ removed`, { dependsOn, undo: () => undoing.mutate(change) })
    },
    onError(error, feature) {
      showError(`Could not remove ‘${recordName(feature)}’`, overtaken(error))
      void client.invalidateQueries({ queryKey: featureDetailQuery(mapId, feature.id).queryKey })
    },
  })
  const restoring = useMutation({
    mutationFn: ({ feature, point }: { feature: FeatureDetail; point: HistoryPoint }) =>
      restoreFeature(mapId, feature, point),
    onSuccess(detail) {
      const { id, version } = detail
      accept(client, detail)
      const name = recordName(detail)
      const changeId = () => changeOf(client, mapId, id, version)
      const dependsOn: UndoBasis = { mapId, of: 'feature', id, version }
      showSuccess(`‘${name}’ restored`, {
        dependsOn,
        undo: () => undoing.mutate({ name, id, version, changeId }),
      })
    },
    onError(error, { feature }) {
      showError(`Could not restore ‘${recordName(feature)}’`, overtaken(error))
      void client.invalidateQueries({ queryKey: featureDetailQuery(mapId, feature.id).queryKey })
    },
  })
  const undoing = useMutation({
    async mutationFn(change: Change) {
      const { id, effect } = change
      if (effect === 'added') onGone?.(id)
      const { changeId, items } = await undoChange(mapId, await change.changeId())
      const undone = items.find((item) => item.id === id)
      if (!undone) throw new Error('It has changed since then.')
      return { changeId, version: undone.version }
    },
    onSuccess({ changeId, version }, undone) {
      const { name, id } = undone
      const after = nextTurn(undone.after)
      followChanges(client, [{ mapId, part: 'feature', id, version }])
      const dependsOn: UndoBasis =
        version === null
          ? { mapId, of: 'removed feature', id, version: undone.version, changeId }
          : { mapId, of: 'feature', id, version }
      const change: Change = {
        name,
        id,
        version: version ?? undone.version,
        changeId: () => Promise.resolve(changeId),
        ...(undone.effect && { effect: undone.effect === 'added' ? 'removed' : 'added' }),
        after,
      }
      showSuccess(`Change to ‘${name}’ ${turns[after]}`, {
        dependsOn,
        undo: () => undoing.mutate(change),
        after,
      })
    },
    onError: (error, { name, after }) =>
      showError(`Could not ${nextTurn(after)} the change to ‘${name}’`, error),
  })
  return { saving, removing, restoring }
}

function overtaken(error: Error): Error {
  const isOvertaken = error instanceof RequestError && error.status === 412
  return isOvertaken ? new Error('Someone else just changed it. You now see the latest version.') : error
}

type Saved = { detail: FeatureDetail; sent: Draft }

async function requirePlausiblePlace(client: QueryClient, draft: Draft) {
  const shape = shapeToCheckOf(draft)
  if (!shape) return
  const { farFromLand } = await client.fetchQuery({
    ...shapeCheckQuery(draft.base.mapId, shape),
    staleTime: 60_000,
  })
  if (farFromLand) throw new FarPlaceError(farFromLand)
}

/** Returns null if the merged draft has conflicts. */
async function save(client: QueryClient, drafts: Drafts, draft: Draft): Promise<Saved | null> {
  const { mapId, id, version, kind } = draft.base
  if (isNew(draft.base)) {
    const detail = await addFeature(mapId, { ...patchOf(draft), id, kind })
    return { detail, sent: draft }
  }
  try {
    const detail = await changeFeature(mapId, { id, version }, patchOf(draft))
    return { detail, sent: draft }
  } catch (error) {
    if (!(error instanceof RequestError && error.status === 412)) throw error
    const theirs = await getFeature(mapId, id)
    client.setQueryData(featureDetailQuery(mapId, id).queryKey, theirs)
    return saveOver(client, drafts, draft, theirs)
  }
}

async function restoreAndSave(client: QueryClient, drafts: Drafts, draft: Draft): Promise<Saved | null> {
  const { mapId, id } = draft.base
  const theirs = await restoreRemovedFeature(mapId, id)
  accept(client, theirs)
  return saveOver(client, drafts, draft, theirs)
}

async function saveOver(
  client: QueryClient,
  drafts: Drafts,
  draft: Draft,
  theirs: FeatureDetail,
): Promise<Saved | null> {
  const merged = rebase(draft, theirs)
  drafts.save(merged)
  if (merged.conflicts.length > 0) return null
  return changesOf(merged).length === 0 ? { detail: theirs, sent: merged } : save(client, drafts, merged)
}

function accept(client: QueryClient, detail: FeatureDetail) {
  const { mapId, id, version } = detail
  client.setQueryData(featureDetailQuery(mapId, id).queryKey, detail)
  followChanges(client, [{ mapId, part: 'feature', id, version }])
}

async function changeOf(client: QueryClient, mapId: string, id: string, version: number): Promise<string> {
  const { items } = await client.fetchQuery({ ...featureHistoryQuery(mapId, id), staleTime: 0 })
  const entry = items.find((one) => one.version === version)
  if (!entry) throw new Error('The change is not in the history.')
  return entry.changeId
}
