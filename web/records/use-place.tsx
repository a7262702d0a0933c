import { type ReactNode, useMemo, useState } from 'react'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { shapeOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { TypeIcon } from '#web/features/type-icon.tsx'
import { usePublishedPlacing } from '#web/workspace/placing.ts'
import { type Draft, geometryOf, isNew, seenAs, titleOf } from './record-draft.ts'

/** What the form does about its record's place on the map. */
export type Place = {
  /** What somebody is about to place or to draw there; null while nobody is. */
  task: FeatureShape | null
  begin(shape: FeatureShape): void
  /** How often a task has ended: the focus comes back from the map. */
  ended: number
}

/** Shows the record of an open form on the map, where it can be moved and drawn. Nothing of a form that is closed. */
export function usePlace(draft: Draft, isOpen: boolean, onChange: (draft: Draft) => void): Place {
  const [task, setTask] = useState<FeatureShape | null>(
    isNew(draft) && !geometryOf(draft) ? draft.base.shape : null,
  )
  const [ended, setEnded] = useState(0)
  function end() {
    setTask(null)
    setEnded(ended + 1)
  }
  // Coordinates that are being typed mean many places on their way: the map shows the last.
  const geometry = geometryOf(draft)
  const [shown, setShown] = useState(geometry)
  if (draft.typedPlace === null && shown !== geometry) setShown(geometry)
  const { kind, type, status } = seenAs(draft)
  const sign = useMemo<ReactNode>(
    () => <TypeIcon kind={kind} type={type} isResolved={status === 'resolved'} size={34} />,
    [kind, type, status],
  )
  usePublishedPlacing(
    isOpen
      ? {
          name: titleOf(draft),
          sign,
          anchor: kindTraits[kind].pin === 'teardrop' ? 'bottom' : 'center',
          geometry: shown,
          isSaved: draft.geometry === null,
          task,
          onPlace(geometry) {
            const base = isNew(draft) ? { ...draft.base, shape: shapeOfGeometry(geometry) } : draft.base
            onChange({ ...draft, base, geometry, typedPlace: null })
            if (task !== null) end()
          },
          onGiveUp: end,
        }
      : null,
  )
  return { task: isOpen ? task : null, begin: setTask, ended }
}
