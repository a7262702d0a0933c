import type { DefinedKind } from '#domain/features/definitions.ts'
import type { LandChange, LandRecord } from '#domain/features/land-change.schema.ts'
import { type FeatureChange, mergeChange } from '#domain/features/merge-change.ts'
import type { Shape, ShapeEdit } from '#domain/geometry/borders/shape-graph.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { defineTabStore, type TabStore } from '#web/ui/unsaved/tab-store.ts'

// The details of a record start editing its shape; the shaping tool edits it. Neither imports the other.

export type StoredChange = readonly [id: string, before: Shape | null, after: Shape | null]

export type StoredStep = {
  words: string
  changes: readonly StoredChange[]
  /** The shapes that a split or merge made, with those they came from. */
  origins: LandChange['origins']
  /** Values that a merge took from other records, by the id of the rest. */
  values?: Readonly<Record<string, FeatureChange>>
}

/** Unsaved changes of shapes of one kind. */
export type ShapeDraft = {
  kind: DefinedKind
  /** The shape with handles. */
  id: string
  steps: readonly StoredStep[]
  /** Steps after these were undone. */
  done: number
  /** Of each changed shape, when it was changed first. */
  versions: Readonly<Record<string, number>>
  /** Values of added records, by id. */
  added: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The plat, deed or survey that the changes follow. */
  record: LandRecord | null
  /** The map shows the place already, and does not move when the editor opens. */
  isPlaced?: boolean
  /** The mode that the editor opens in, unless steps were added to the first `steps`. */
  begin?: (Begin & { steps: number }) | undefined
  /** While another tool is in use. */
  isPaused: boolean
}

export const shapeDrafts = defineTabStore<ShapeDraft | null, TabStore<ShapeDraft | null>>({
  name: 'shapes-in-progress',
  empty: null,
  read: (stored) => (isDraft(stored) ? stored : null),
  open: (store) => store,
})

const isDraft = (stored: unknown): stored is ShapeDraft =>
  typeof stored === 'object' && stored !== null && 'steps' in stored && 'versions' in stored

export const doneSteps = ({ steps, done }: ShapeDraft) => steps.slice(0, done)

/** Values of other records that merges gave to this one. */
export const takenValues = (draft: ShapeDraft, id: string): FeatureChange =>
  doneSteps(draft).reduce<FeatureChange>((all, { values }) => mergeChange(all, values?.[id] ?? {}), {})

export type NetChange = { before: Shape | null; after: Shape | null }

export function netChanges(steps: readonly StoredStep[]): Map<string, NetChange> {
  const net = new Map<string, NetChange>()
  for (const { changes } of steps)
    for (const [id, before, after] of changes)
      net.set(id, { before: (net.get(id) ?? { before }).before, after })
  for (const [id, { before, after }] of net) if (isEqual(before, after)) net.delete(id)
  return net
}

export const maxMerged = 50

/** A deed makes a new record. `others` are the ids of records to merge with the edited one. */
type Begin = { mode: 'deed' } | { mode: 'merge'; others: readonly string[] }

type ShapingStart = Pick<ShapeDraft, 'kind' | 'id' | 'isPlaced'> & { begin?: Begin }

export function startShaping(
  editorId: string,
  mapId: string,
  { kind, id, isPlaced = false, begin: how }: ShapingStart,
) {
  const drafts = shapeDrafts(editorId, mapId)
  const current = drafts.get()
  const steps = current?.steps.length ?? 0
  const begin = how && { ...how, steps }
  // Other unsaved shapes of this kind stay in the draft.
  if (current && steps > 0 && current.kind === kind)
    drafts.set({ ...current, id, isPlaced, isPaused: false, begin })
  else if (steps === 0)
    drafts.set({
      kind,
      id,
      steps: [],
      done: 0,
      versions: {},
      added: {},
      record: null,
      isPlaced,
      isPaused: false,
      begin,
    })
}

type Fixes = { kind: DefinedKind; edit: ShapeEdit; words: string } & Pick<ShapeDraft, 'versions'>

/** Adds a step to the draft, or starts one. False if the tab has unsaved shapes of another kind. */
export function addFixes(editorId: string, mapId: string, { kind, edit, versions, words }: Fixes): boolean {
  const drafts = shapeDrafts(editorId, mapId)
  const current = drafts.get()
  const [id] = edit.keys()
  if (id === undefined || (current && current.steps.length > 0 && current.kind !== kind)) return false
  const changes = [...edit].map(([id, { before, after }]) => [id, before, after] as const)
  const steps = [...(current ? doneSteps(current) : []), { words, changes, origins: [] }]
  drafts.set({
    added: {},
    record: null,
    ...current,
    kind,
    id,
    steps,
    done: steps.length,
    versions: { ...versions, ...current?.versions },
    isPlaced: true,
    isPaused: false,
  })
  return true
}

/** Changes of shapes of this kind that are not saved. */
export function unsavedChanges(editorId: string, mapId: string, kind: DefinedKind): ShapeEdit {
  const draft = shapeDrafts(editorId, mapId).get()
  return draft?.kind === kind ? netChanges(doneSteps(draft)) : new Map()
}
