import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { isEqual } from '#domain/values/is-equal.ts'
import { type PressWord, usePressWord } from '#web/ui/device.ts'
import { loadChunk } from '#web/ui/load-chunk.ts'
import { cornersOf, type DrawnShape, isDrawnByPoints, leastPoints } from './drawn-shape.ts'
import { type Edits, noEdits } from './handler.ts'
import type { Task } from './task.ts'
import { loadingStatus, useHandler } from './use-handler.ts'
import type { Shapes } from './use-shapes.ts'

type Options = { shapes: Shapes; mayCross: boolean; onCrossing(): void; close(saved: number): void }

export function useEditing(isOn: boolean, { shapes, mayCross, onCrossing, close }: Options) {
  const press = usePressWord()
  const [edits, setEdits] = useState(noEdits)
  const refuse = useEffectEvent(onCrossing)
  const { handler, isReady, problem } = useHandler(isOn ? 'edit' : null, async () => {
    const { startEditing } = await loadChunk(() => import('./editing-handler.ts'))
    return (map) => startEditing(map, shapes.all, mayCross, { onEdits: setEdits, onCrossing: () => refuse() })
  })
  useEffect(() => {
    if (isOn) return () => setEdits(noEdits)
  }, [isOn])
  const edited = useMemo(() => withEdits(shapes.all, edits.geometries), [shapes.all, edits.geometries])
  if (!isOn) return null

  const changed = edited.filter((shape, index) => shape !== shapes.all[index])
  const hasChanges = changed.length > 0
  const selected = edited.find(({ id }) => id === edits.selectedId)
  const kind = selected?.properties.kind
  const canRemove =
    edits.chosen !== null &&
    selected !== undefined &&
    kind !== undefined &&
    isDrawnByPoints(kind) &&
    cornersOf(selected.geometry).length > leastPoints[kind]
  const task: Task = {
    status: isReady ? nextStep(selected, press) : loadingStatus,
    readout: edits.readout,
    pointer: edits.pointer,
    sketch: null,
    chosen: edits.chosen,
    problem,
    canUndo: edits.canUndo,
    canRedo: edits.canRedo,
    hasChanges,
    undo: () => handler.current?.undo(),
    redo: () => handler.current?.redo(),
    escape: () => handler.current?.giveUp() || hasChanges || close(0),
    moveTo: (place) => handler.current?.moveTo(place),
    press: (place) => handler.current?.press(place),
    removeVertex: (place) => handler.current?.removeVertex(place),
    actions: [
      ...(selected && isDrawnByPoints(selected.properties.kind)
        ? [
            {
              label: 'Remove point',
              isDisabled: !canRemove,
              run: () => edits.chosen && handler.current?.removeVertex(edits.chosen),
            },
          ]
        : []),
      {
        label: 'Save',
        isPrimary: true,
        isDisabled: !hasChanges,
        run: () => {
          shapes.edit(changed, (shape) => handler.current?.piecesOf(shape) ?? [shape])
          close(changed.length)
        },
      },
      { label: 'Cancel', run: () => close(0) },
    ],
  }
  return { task, edited }
}

function withEdits(shapes: readonly DrawnShape[], geometries: Edits['geometries']): DrawnShape[] {
  return shapes.map((shape) => {
    const geometry = geometries.get(shape.id)
    const isSame = !geometry || isEqual(geometry, shape.geometry)
    return isSame ? shape : { ...shape, geometry }
  })
}

function nextStep(selected: DrawnShape | undefined, press: PressWord): string {
  if (!selected) return `${press} a shape to edit it`
  const { kind } = selected.properties
  if (isDrawnByPoints(kind)) return 'Drag the shape or its points'
  if (kind === 'rectangle') return 'Drag the rectangle or one of its corners'
  if (kind === 'circle') return 'Drag the circle, or its edge to resize it'
  return 'Drag the marker'
}
