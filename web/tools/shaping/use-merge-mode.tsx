import { useState } from 'react'
import { nameFieldOf } from '#domain/features/definitions.ts'
import type { FeatureChange } from '#domain/features/merge-change.ts'
import { mergeShapes } from '#domain/geometry/borders/divide-shapes.ts'
import { counted } from '#domain/values/wording.ts'
import { usePressWord } from '#web/ui/device.ts'
import type { Editing, ModeView } from './editing.ts'
import { MergeDialog } from './merge-dialog.tsx'
import { ShapesLayer } from './shape-edit-layers.tsx'
import { shapeAt } from './shape-handles.ts'
import { nameOf, namesOf } from './shape-words.ts'

const maxMerged = 50

export function useMergeMode(editing: Editing, isOn: boolean, onDone: () => void): ModeView {
  const { mapId, draft, graph, active, attempt, add, activate } = editing
  const press = usePressWord()
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set())
  const [isChoosing, setIsChoosing] = useState(false)
  const shapes = [draft.id, ...others].flatMap((id) => graph.get(id) ?? [])

  function leave() {
    setOthers(new Set())
    onDone()
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
  return {
    text:
      others.size === 0
        ? `${press} the records to merge with ${active ? nameOf(active) : 'this one'}.`
        : `Merge ${namesOf(shapes)}.`,
    actions: [
      {
        label: others.size === 0 ? 'Merge' : `Merge ${counted(shapes.length, 'record')}`,
        isPrimary: true,
        isDisabled: others.size === 0,
        run: () =>
          attempt(() => {
            // Refuses before the user chooses values.
            mergeShapes(
              graph,
              shapes.map(({ id }) => id),
            )
            setIsChoosing(true)
          }),
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
