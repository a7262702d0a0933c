import { useEffect, useEffectEvent, useState } from 'react'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import { DrawingToolbar } from './drawing-toolbar.tsx'
import { nextStep } from './next-step.ts'
import { ShapeLayers } from './shape-layers.tsx'
import type { ShapeStorage } from './shape-storage.ts'
import { useDrawing } from './use-drawing.ts'
import { useEscape } from './use-escape.ts'
import { useShapes } from './use-shapes.ts'

type DrawingKitProps = {
  tools: readonly DrawingTool[]
  storage: ShapeStorage
  /** While a tool is active, clicks on the map are its own. */
  onActiveChange(isActive: boolean): void
}

/** Shapes on the map and the tools to draw them. Stands among the map's layers. */
export function DrawingKit({ tools, storage, onActiveChange }: DrawingKitProps) {
  const shapes = useShapes(storage)
  const [chosen, setChosen] = useState<DrawingTool | null>(null)
  // The configuration may take a tool away that is in use.
  const active = chosen !== null && tools.includes(chosen) ? chosen : null
  const drawing = useDrawing(active, (shape) => shapes.create([shape]))

  const tellActive = useEffectEvent(onActiveChange)
  useEffect(() => tellActive(active !== null), [active])
  useEscape(active !== null, () => drawing.cancel() || setChosen(null))

  return (
    <>
      <ShapeLayers shapes={shapes.all} />
      <DrawingToolbar
        tools={tools}
        active={active}
        onChange={setChosen}
        status={active && nextStep(active, drawing.progress)}
        problem={drawing.problem ?? shapes.problem}
      />
    </>
  )
}
