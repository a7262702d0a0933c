import { useEffect, useEffectEvent, useState } from 'react'
import { type DrawingTool, drawingToolLabels } from '#domain/map-configuration/map-constants.ts'
import { type PressWord, usePressWord } from '#web/ui/device.ts'
import { loadChunk } from '#web/ui/load-chunk.ts'
import { cornersOf, type DrawnShape, leastPoints } from './drawn-shape.ts'
import { noProgress } from './handler.ts'
import { readoutOf } from './readout.ts'
import type { Task } from './task.ts'
import { loadingStatus, useHandler } from './use-handler.ts'
import type { History } from './use-history.ts'
import type { Shapes } from './use-shapes.ts'

type Options = {
  shapes: Pick<Shapes, 'create'>
  history: History
  mayCross: boolean
  onCrossing(): void
  close(): void
}

/** Undo removes points, then earlier shapes. */
export function useDrawing(
  tool: DrawingTool | null,
  { shapes, history, mayCross, onCrossing, close }: Options,
) {
  const press = usePressWord()
  const [progress, setProgress] = useState(noProgress)
  const [lastReadout, setLastReadout] = useState('')
  const draw = useEffectEvent((drawn: DrawnShape[]) => {
    shapes.create(drawn)
    // A shape across the date line comes in pieces, which have no size of their own.
    const [shape, ...more] = drawn
    setLastReadout(
      shape && more.length === 0 ? readoutOf(shape.properties.kind, cornersOf(shape.geometry)) : '',
    )
  })
  const refuse = useEffectEvent(onCrossing)
  const { handler, isReady, problem } = useHandler(tool, async () => {
    const { startDrawing } = await loadChunk(() => import('./drawing-handler.ts'))
    return (map) =>
      startDrawing(map, tool as DrawingTool, mayCross, {
        onProgress: setProgress,
        onDrawn: (drawn) => draw(drawn),
        onCrossing: () => refuse(),
      })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tool starts again
  useEffect(
    () => () => {
      setProgress(noProgress)
      setLastReadout('')
    },
    [tool],
  )

  function undo() {
    if (progress.canUndo) handler.current?.undo()
    else {
      history.undo()
      setLastReadout('')
    }
  }
  function redo() {
    if (progress.canRedo) handler.current?.redo()
    else if (!progress.sketch) history.redo()
  }

  if (!tool) return null
  const { sketch, pointer, readout } = progress
  const isDone = canFinish(sketch)
  const isDrawn = sketch === null && lastReadout !== ''
  const next = nextStep(tool, sketch?.placed.length ?? 0, press)
  const status = isDrawn ? `${drawingToolLabels[tool]} drawn. You can draw another.` : next
  const task: Task = {
    status: isReady ? status : loadingStatus,
    readout: isDrawn ? lastReadout : readout,
    pointer,
    sketch,
    problem,
    canUndo: progress.canUndo || history.canUndo,
    canRedo: progress.canRedo || (sketch === null && history.canRedo),
    hasChanges: (tool === 'polyline' || tool === 'polygon') && (sketch?.placed.length ?? 0) > 1,
    undo,
    redo,
    escape: () => handler.current?.giveUp() || close(),
    moveTo: (place) => handler.current?.moveTo(place),
    press: (place) => handler.current?.press(place),
    removeVertex: (place) => handler.current?.removeVertex(place),
    finish: () => handler.current?.finish(),
    actions:
      sketch === null
        ? [
            ...(isDrawn && history.canUndo ? [{ label: 'Discard', run: undo }] : []),
            { label: 'Done', run: close },
          ]
        : [
            ...(tool === 'polyline' || tool === 'polygon'
              ? [
                  {
                    label: 'Finish',
                    isPrimary: true,
                    isDisabled: !isDone,
                    run: () => handler.current?.finish(),
                  },
                ]
              : []),
            { label: 'Cancel', run: () => handler.current?.giveUp() },
          ],
  }
  return task
}

function canFinish(sketch: typeof noProgress.sketch): boolean {
  if (sketch?.kind === 'polygon') return sketch.placed.length >= leastPoints.polygon
  return sketch?.kind === 'polyline' && sketch.placed.length >= leastPoints.polyline
}

function nextStep(tool: DrawingTool, placed: number, press: PressWord): string {
  switch (tool) {
    case 'rectangle':
      return placed === 0 ? `${press} to place the first corner` : `${press} to place the opposite corner`
    case 'circle':
      return placed === 0 ? `${press} to place the center` : `${press} to set the radius`
    case 'marker':
      return `${press} to place the marker`
    case 'circlemarker':
      return `${press} to place the circle marker`
    case 'polyline':
    case 'polygon': {
      if (placed === 0) return `${press} to place the first point`
      if (placed < leastPoints[tool]) return `${press} to place the next point`
      return `${press} to place the next point, or ${tool === 'polygon' ? 'the first' : 'the last'} one to finish`
    }
  }
}
