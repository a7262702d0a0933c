import { type ReactNode, useMemo, useState } from 'react'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import { kindTraits } from '#domain/features/kind-traits.ts'
import { shapeOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { TypeIcon } from '#web/features/type-icon.tsx'
import { usePublishedPlacing } from '#web/workspace/placing.ts'
import { type Draft, geometryOf, isNew, summaryOf, titleOf } from './record-draft.ts'

export type Place = {
  task: FeatureShape | null
  begin(shape: FeatureShape): void
  /** Counts finished tasks: the focus then returns from the map. */
  ended: number
}

export function usePlace(draft: Draft, isOpen: boolean, onChange: (draft: Draft) => void): Place {
  const [task, setTask] = useState<FeatureShape | null>(
    isNew(draft.base) && !geometryOf(draft) ? draft.base.shape : null,
  )
  const [ended, setEnded] = useState(0)
  function end() {
    setTask(null)
    setEnded(ended + 1)
  }
  // Typed coordinates go through many places: the map shows the last valid one.
  const geometry = geometryOf(draft)
  const [shown, setShown] = useState(geometry)
  if (draft.typedPlace === null && shown !== geometry) setShown(geometry)
  const { kind, type, status } = summaryOf(draft)
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
            const base = isNew(draft.base) ? { ...draft.base, shape: shapeOfGeometry(geometry) } : draft.base
            onChange({ ...draft, base, geometry, typedPlace: null })
            if (task !== null) end()
          },
          onGiveUp: end,
        }
      : null,
  )
  return { task: isOpen ? task : null, begin: setTask, ended }
}
