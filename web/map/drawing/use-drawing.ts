import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { DrawingTool } from '#domain/map-configuration/map-constants.ts'
import type { DrawingSession, Progress } from './drawing-session.ts'
import type { DrawnShape } from './drawn-shape.ts'

const nothing: Progress = { geometry: null, pointer: null }

/** Loads the drawing engine when the first tool is opened. */
export function useDrawing(tool: DrawingTool | null, onDrawn: (shape: DrawnShape) => void) {
  const map = useMap().current?.getMap()
  const sessionRef = useRef<DrawingSession>(undefined)
  const [progress, setProgress] = useState<Progress>(nothing)
  const [problem, setProblem] = useState<string | null>(null)
  const tellDrawn = useEffectEvent(onDrawn)
  useEffect(() => {
    if (!map || !tool) return
    let isCurrent = true
    import('./drawing-session.ts').then(
      ({ startDrawing }) => {
        if (!isCurrent) return
        setProblem(null)
        sessionRef.current = startDrawing(map, tool, {
          onProgress: setProgress,
          onDrawn: (shape) => tellDrawn(shape),
        })
      },
      () => isCurrent && setProblem('The drawing tools could not be loaded. Try again.'),
    )
    return () => {
      isCurrent = false
      sessionRef.current?.end()
      sessionRef.current = undefined
      setProgress(nothing)
    }
  }, [map, tool])
  return { progress, problem, cancel: () => sessionRef.current?.cancel() ?? false }
}
