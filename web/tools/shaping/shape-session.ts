import { definitions, nameFieldOf } from '#domain/features/definitions.ts'
import type { FeatureOperation } from '#domain/features/feature-changes.schema.ts'
import type { LandChange } from '#domain/features/land-change.schema.ts'
import { mergeChange } from '#domain/features/merge-change.ts'
import type { ShapesInBox } from '#domain/features/shapes.schema.ts'
import { type Shape, type ShapeEdit, ShapeGraph } from '#domain/geometry/borders/shape-graph.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import {
  doneSteps,
  type NetChange,
  netChanges,
  type ShapeDraft,
  type StoredStep,
  takenValues,
} from '#web/workspace/shaping.ts'
import type { StepNews } from './editing.ts'
import { nameOf, namesOf, shapesIn } from './shape-words.ts'

export type LoadedShape = ShapesInBox['items'][number]

/** A changed shape that someone else has changed since; `theirs` is null if it was removed. */
export type Conflict = { before: Shape; theirs: LoadedShape | null }

/** The shapes in view with the changes of the draft. */
export class ShapeSession {
  readonly graph: ShapeGraph
  private readonly loaded: ReadonlyMap<string, LoadedShape>
  private readonly draft: ShapeDraft
  private readonly changed: ReadonlyMap<string, NetChange>

  constructor(loaded: readonly LoadedShape[], draft: ShapeDraft) {
    this.draft = draft
    this.loaded = new Map(loaded.map((shape) => [shape.id, shape]))
    this.changed = netChanges(doneSteps(draft))
    this.graph = new ShapeGraph(
      loaded
        .filter(({ id }) => !this.changed.has(id))
        .map(({ id, name, geometry }) => ({ id, name, geometry })),
    )
    for (const [id, { after }] of this.changed)
      if (after) this.graph.apply(new Map([[id, { before: null, after }]]))
  }

  /** `isInView` tells whether a shape would be loaded. */
  conflicts(isInView: (shape: Shape) => boolean): Conflict[] {
    return [...this.changed].flatMap(([id, { before }]) => {
      if (!before) return []
      const theirs = this.loaded.get(id) ?? null
      const isStale = theirs ? theirs.version !== this.draft.versions[id] : isInView(before)
      return isStale ? [{ before, theirs }] : []
    })
  }

  /** Discards undone steps. */
  add(words: string, edit: ShapeEdit, { added = {}, ...news }: StepNews = { origins: [] }): ShapeDraft {
    const changes = [...edit].map(([id, { before, after }]) => [id, before, after] as const)
    const step = { words, changes, ...news }
    const versions = { ...this.draft.versions }
    for (const id of edit.keys()) {
      const version = this.loaded.get(id)?.version
      if (version !== undefined && !this.changed.has(id)) versions[id] = version
    }
    const steps = [...doneSteps(this.draft), step]
    return {
      ...this.draft,
      steps,
      done: steps.length,
      versions,
      added: { ...this.draft.added, ...added },
    }
  }
}

/** Without own changes of the shape, so that the version of someone else stays. */
export function withTheirs(draft: ShapeDraft, { before: { id } }: Conflict): ShapeDraft {
  const rest = (steps: readonly StoredStep[]) =>
    steps
      .map(({ values: { [id]: _, ...values } = {}, ...step }) => ({
        ...step,
        changes: step.changes.filter(([one]) => one !== id),
        values,
      }))
      .filter(({ changes }) => changes.length > 0)
  const done = rest(doneSteps(draft))
  const { [id]: _, ...versions } = draft.versions
  return { ...draft, steps: [...done, ...rest(draft.steps.slice(draft.done))], done: done.length, versions }
}

/** Own changes will replace the version of someone else. */
export const withMine = (draft: ShapeDraft, { before: { id }, theirs }: Conflict): ShapeDraft =>
  theirs ? { ...draft, versions: { ...draft.versions, [id]: theirs.version } } : draft

/** Renames records that the draft adds. */
export function withNames(draft: ShapeDraft, names: ReadonlyMap<string, string>): ShapeDraft {
  const rename = (shape: Shape | null) => {
    const name = shape ? names.get(shape.id) : undefined
    return shape && name !== undefined && name !== shape.name ? { ...shape, name } : shape
  }
  const steps = draft.steps.map((step) => ({
    ...step,
    changes: step.changes.map(([id, before, after]) => [id, rename(before), rename(after)] as const),
  }))
  return isEqual(steps, draft.steps) ? draft : { ...draft, steps }
}

/** Removed records come first. */
export function operationsOf(draft: ShapeDraft): FeatureOperation[] {
  const redivided = dividedOrMerged(draft)
  const operations = [...netChanges(doneSteps(draft))].map(([id, { before, after }]): FeatureOperation => {
    const version = draft.versions[id] ?? 1
    if (!after) return { action: 'remove', id, version }
    // A recorded area is that of the land before; null is replaced by the measured one.
    const area = redivided.has(id) && 'area' in definitions[draft.kind].fields ? { area: null } : {}
    const values = { ...takenValues(draft, id), ...area }
    if (before) return { action: 'change', id, version, change: { ...values, geometry: after.geometry } }
    return {
      action: 'add',
      feature: {
        ...mergeChange(draft.added[id] ?? {}, values),
        kind: draft.kind,
        id,
        [nameFieldOf(draft.kind)]: after.name,
        geometry: after.geometry,
      },
    }
  })
  const order = ['remove', 'change', 'add']
  return operations.sort((one, other) => order.indexOf(one.action) - order.indexOf(other.action))
}

export const dividedOrMerged = (draft: ShapeDraft): ReadonlySet<string> =>
  new Set(doneSteps(draft).flatMap(({ origins }) => origins.flatMap(({ id, from }) => [id, ...from])))

/** The last added record that no split or merge made. */
export function newRecordOf(draft: ShapeDraft): string | undefined {
  const redivided = new Set(doneSteps(draft).flatMap(({ origins }) => origins.map(({ id }) => id)))
  return [...netChanges(doneSteps(draft))].findLast(([id, { before }]) => !before && !redivided.has(id))?.[0]
}

/** 'Split Lot 1. Merged Lot 3 into Lot 2', unless other changes are saved with them. */
export function savedWords(draft: ShapeDraft): string {
  const steps = doneSteps(draft)
  if (!steps.every(({ origins }) => origins.length > 0))
    return `Saved the shapes of ${namesOf(shapesIn(netChanges(steps)))}`
  return steps
    .map(({ words, changes, origins: [origin] }) => {
      const merged = changes.flatMap(([, before, after]) => (before && !after ? [before] : []))
      const changeOf = (id: string | undefined) => changes.find(([one]) => one === id)
      const target = changeOf(origin?.id)?.[2]
      if (merged.length > 0 && target) return `Merged ${namesOf(merged)} into ${nameOf(target)}`
      const divided = changeOf(origin?.from[0])?.[1]
      return divided ? `Split ${nameOf(divided)}` : words
    })
    .join('. ')
}

/** Undefined for a change that is neither a split nor a merge, and follows no record. */
export function landChangeOf(draft: ShapeDraft): LandChange | undefined {
  const net = netChanges(doneSteps(draft))
  const roots = new Map<string, ReadonlySet<string>>()
  for (const { origins } of doneSteps(draft))
    for (const { id, from } of origins)
      roots.set(id, new Set(from.flatMap((one) => [...(roots.get(one) ?? [one])])))
  const origins = [...roots].flatMap(([id, from]) => {
    const others = [...from].filter((one) => one !== id)
    return others.length > 0 && net.get(id)?.after ? [{ id, from: [...from] }] : []
  })
  return origins.length > 0 || draft.record ? { record: draft.record, origins } : undefined
}
