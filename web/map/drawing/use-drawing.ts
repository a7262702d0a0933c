import { useEffect, useEffectEvent, useState } from 'react'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { loadChunk } from '#web/ui/load-chunk.ts'
import type { Activity } from './activity.ts'
import { type DrawnShape, leastPoints } from './drawn-shape.ts'
import { nextStep } from './next-step.ts'
import { noProgress } from './session.ts'
import { loadingStatus, useSession } from './use-session.ts'
import type { Shapes } from './use-shapes.ts'

type Options = { shapes: Shapes; mayCross: boolean; onCrossing(): void; close(): void }

/** Draws one shape after the other with a tool. Undo takes back points, then the shapes it has made. */
export function useDrawing(tool: DrawingTool | null, { shapes, mayCross, onCrossing, close }: Options) {
  const [progress, setProgress] = useState(noProgress)
  const [made, setMade] = useState<{ done: DrawnShape[]; undone: DrawnShape[] }>({ done: [], undone: [] })
  const draw = useEffectEvent((shape: DrawnShape) => {
    shapes.create([shape])
    setMade(({ done }) => ({ done: [...done, shape], undone: [] }))
  })
  const refuse = useEffectEvent(onCrossing)
  const { session, isReady, problem } = useSession(tool, async () => {
    const { startDrawing } = await loadChunk(() => import('./drawing-session.ts'))
    return (map) =>
      startDrawing(map, tool as DrawingTool, mayCross, {
        onProgress: setProgress,
        onDrawn: (shape) => draw(shape),
        onCrossing: () => refuse(),
      })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tool begins anew
  useEffect(
    () => () => {
      setProgress(noProgress)
      setMade({ done: [], undone: [] })
    },
    [tool],
  )

  function undo() {
    if (progress.canUndo) return session.current?.undo()
    const last = made.done.at(-1)
    if (!last) return
    shapes.remove([last.id])
    setMade({ done: made.done.slice(0, -1), undone: [...made.undone, last] })
  }
  function redo() {
    if (progress.canRedo) return session.current?.redo()
    const last = made.undone.at(-1)
    if (!last || progress.sketch) return
    shapes.create([last])
    setMade({ done: [...made.done, last], undone: made.undone.slice(0, -1) })
  }

  if (!tool) return null
  const { sketch, pointer, readout } = progress
  const isDone = canFinish(sketch)
  const activity: Activity = {
    status: isReady ? nextStep(tool, sketch?.placed.length ?? 0) : loadingStatus,
    readout,
    pointer,
    sketch,
    problem,
    canUndo: progress.canUndo || made.done.length > 0,
    canRedo: progress.canRedo || (sketch === null && made.undone.length > 0),
    hasChanges: false,
    undo,
    redo,
    escape: () => session.current?.giveUp() || close(),
    moveTo: (place) => session.current?.moveTo(place),
    press: (place) => session.current?.press(place),
    takeBack: (place) => session.current?.takeBack(place),
    actions: [
      ...(tool === 'polyline' || tool === 'polygon'
        ? [{ label: 'Finish', isPrimary: true, isDisabled: !isDone, run: () => session.current?.finish() }]
        : []),
      { label: 'Cancel', isDisabled: sketch === null, run: () => session.current?.giveUp() },
    ],
  }
  return activity
}

function canFinish(sketch: typeof noProgress.sketch): boolean {
  if (sketch?.kind === 'polygon') return sketch.placed.length >= leastPoints.polygon
  return sketch?.kind === 'polyline' && sketch.placed.length >= leastPoints.polyline
}
