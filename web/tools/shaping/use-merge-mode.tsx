import { useMemo, useState } from 'react'
import { nameFieldOf } from '#domain/features/definitions.ts'
import type { FeatureChange } from '#domain/features/merge-change.ts'
import { mergeShapes } from '#domain/geometry/borders/divide-shapes.ts'
import { type ShapeGraph, ShapeRefusal } from '#domain/geometry/borders/shape-graph.ts'
import { counted } from '#domain/values/wording.ts'
import { usePressWord } from '#web/ui/device.ts'
import { maxMerged } from '#web/workspace/shaping.ts'
import type { Editing, ModeView } from './editing.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { ShapesLayer } from './shape-edit-layers.tsx'
import { shapeAt } from './shape-handles.ts'
import { nameOf, namesOf, nounOf } from './shape-words.ts'

type MergeStart = { others: readonly string[]; onDone(): void }

/** `start.others` are chosen at first. */
export function useMergeMode(editing: Editing, isOn: boolean, start: MergeStart): ModeView {
  const { mapId, draft, graph, active, attempt, add, activate } = editing
  const noun = nounOf(draft.kind)
  const press = usePressWord()
  const [others, setOthers] = useState<ReadonlySet<string>>(() => new Set(start.others))
  const [isChoosing, setIsChoosing] = useState(false)
  const shapes = [draft.id, ...others].flatMap((id) => graph.get(id) ?? [])

  function leave() {
    setOthers(new Set())
    start.onDone()
  }
  function toggle(id: string) {
    if (id === draft.id) return
    const next = new Set(others)
    if (!next.delete(id) && next.size < maxMerged) next.add(id)
    setOthers(next)
  }
  function merge(targetId: string, taken: FeatureChange) {
    setIsChoosing(false)
    attempt(() => {
      const ids = [targetId, ...shapes.map(({ id }) => id).filter((id) => id !== targetId)]
      const edit = new Map(mergeShapes(graph, ids))
      const { before = null, after = null } = edit.get(targetId) ?? {}
      const name = taken[nameFieldOf(draft.kind)] ?? after?.name
      edit.set(targetId, { before, after: after && { ...after, name: String(name) } })
      add(`Merge ${namesOf(shapes)}`, edit, {
        origins: [{ id: targetId, from: ids }],
        values: { [targetId]: taken },
      })
      activate(targetId)
      leave()
    })
  }
  const areLoaded = shapes.length === 1 + others.size
  const refusal = useMemo(
    () => (isOn && areLoaded && others.size > 0 ? refusalOf(graph, [draft.id, ...others]) : null),
    [isOn, areLoaded, others, graph, draft.id],
  )
  function text() {
    if (refusal) return refusal
    if (!areLoaded) return `Move the map to the ${noun}s to merge.`
    return others.size === 0
      ? `${press} the ${noun}s to merge with ${active ? nameOf(active) : 'this one'}.`
      : `Merge ${namesOf(shapes)}.`
  }
  return {
    text: text(),
    actions: [
      {
        label: others.size === 0 ? 'Merge' : `Merge ${counted(shapes.length, noun)}`,
        isPrimary: true,
        isDisabled: others.size === 0 || !areLoaded || refusal !== null,
        run: () => setIsChoosing(true),
      },
      { label: 'Back', run: leave },
    ],
    layers: isOn && (
      <>
        <ShapesLayer id="shaping-merged" shapes={shapes} activeId={null} />
        <MergeDialog
          mapId={mapId}
          shapes={shapes}
          draft={draft}
          isOpen={isChoosing}
          onClose={() => setIsChoosing(false)}
          onMerge={merge}
        />
      </>
    ),
    onClick(position) {
      const id = shapeAt(graph, position)
      if (id !== undefined) toggle(id)
    },
    onKey({ key }) {
      if (key !== 'Escape') return false
      leave()
      return true
    },
  }
}

/** Why these shapes cannot be merged. */
function refusalOf(graph: ShapeGraph, ids: readonly string[]): string | null {
  try {
    mergeShapes(graph, ids)
    return null
  } catch (refusal) {
    if (refusal instanceof ShapeRefusal) return refusal.message
    throw refusal
  }
}
