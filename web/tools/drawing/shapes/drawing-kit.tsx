import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useEffectEvent, useState } from 'react'
import {
  type DrawingTool,
  drawingErrorMs,
  drawingTools,
  editingErrorMs,
} from '#domain/map-configuration/map-constants.ts'
import { counted } from '#domain/values/wording.ts'
import { useIsPhone } from '#web/ui/device.ts'
import { useToolMode } from '#web/workspace/tool.ts'
import { DashedShapes } from './dashed-shapes.tsx'
import { DrawingBar } from './drawing-bar.tsx'
import { DrawingToolbar, type TaskName } from './drawing-toolbar.tsx'
import { findShapeAt, ShapeLayers } from './shape-layers.tsx'
import type { ShapeStorage } from './shape-storage.ts'
import { SketchOverlay } from './sketch-overlay.tsx'
import type { News } from './task.ts'
import { useDeleting } from './use-deleting.ts'
import { useDrawing } from './use-drawing.ts'
import { historyKey, useDrawingKeys } from './use-drawing-keys.ts'
import { useEditing } from './use-editing.ts'
import { useHistory } from './use-history.ts'
import { useShapeFiles } from './use-shape-files.ts'
import { useShapes } from './use-shapes.ts'

export type DrawingKitProps = {
  tools: readonly DrawingTool[]
  storage: ShapeStorage
  fileName?: string
  mayCross?: boolean
  onActiveChange?(isActive: boolean): void
  /** Clicks while no tool is open; null beside all shapes. */
  onPick?(id: string | null): void
}

export function DrawingKit(props: DrawingKitProps) {
  const { tools, storage, fileName, mayCross = false, onActiveChange, onPick } = props
  const map = useMap().current?.getMap()
  const [news, setNews] = useState<News | null>(null)
  const [chosen, setChosen] = useState<TaskName | null>(null)
  const history = useHistory()
  const shapes = useShapes(storage, chosen === 'edit' || chosen === 'delete', history)
  const files = useShapeFiles(shapes, setNews)
  const active = isPossible(chosen, tools, shapes.all.length > 0) ? chosen : null
  const tool = drawingTools.find((kind) => kind === active) ?? null
  const refusal = useRefusal()
  const close = () => setChosen(null)

  const drawing = useDrawing(tool, {
    shapes,
    history,
    mayCross,
    close,
    onCrossing: () => refusal.refuse(drawingErrorMs),
  })
  const editing = useEditing(active === 'edit', {
    shapes,
    mayCross,
    close(saved) {
      close()
      if (saved > 0) setNews(newsOf(saved, 'changed'))
    },
    onCrossing: () => refusal.refuse(editingErrorMs),
  })
  const deleting = useDeleting(active === 'delete', shapes, (deleted) => {
    close()
    if (deleted.length > 0) setNews(newsOf(deleted.length, 'deleted'))
  })
  const task = drawing ?? editing?.task ?? deleting?.task ?? null
  const keys = useDrawingKeys(task)
  const hasUnsaved = task?.hasChanges ?? false
  useToolMode({
    isOn: active !== null,
    turnOff: close,
    onClick({ lngLat, hits }) {
      if (active !== null) {
        task?.click?.([lngLat.lng, lngLat.lat])
        return true
      }
      if (!onPick || !map) return false
      const seen = findShapeAt(map, [lngLat.lng, lngLat.lat])
      // Features inside of a shape stay clickable.
      const picked = seen?.isEdge || hits.length === 0 ? (seen?.id ?? null) : null
      onPick(picked)
      return picked !== null
    },
    onKey(event) {
      if (task) return keys.onKey(event)
      const isUsed = historyKey(history, event)
      if (isUsed) setNews(null)
      return isUsed
    },
    unsaved: hasUnsaved
      ? {
          what: 'Shape edits',
          title: 'Unsaved shapes',
          text: 'Your unsaved shapes and edits will be discarded.',
        }
      : null,
  })

  const isPhone = useIsPhone()
  const [areToolsOpen, setAreToolsOpen] = useState(false)
  const tellActive = useEffectEvent((isActive: boolean) => onActiveChange?.(isActive))
  useEffect(() => tellActive(active !== null || (isPhone && areToolsOpen)), [active, isPhone, areToolsOpen])
  useEffect(() => {
    if (active === null) setChosen(null)
  }, [active])

  function choose(name: TaskName | null, isByKeyboard: boolean) {
    refusal.forget()
    setNews(null)
    setChosen(name)
    if (name !== null && isByKeyboard) map?.getCanvas().focus()
  }

  function newsOf(count: number, what: 'changed' | 'deleted'): News {
    return { text: `${counted(count, 'shape')} ${what}`, isProblem: false, hasUndo: true }
  }

  return (
    <>
      <ShapeLayers shapes={editing?.edited ?? deleting?.rest ?? shapes.all} />
      <DashedShapes id="leaving-shapes" shapes={deleting?.marked ?? []} isLeaving />
      <SketchOverlay
        sketch={task?.sketch ?? null}
        pointer={task?.pointer ?? null}
        chosen={task?.chosen ?? null}
        isRefused={refusal.isRefused}
        hasCross={keys.areLeading}
        isDropping={files.isDropping}
      />
      <DrawingToolbar
        tools={tools}
        active={active}
        isLocked={hasUnsaved}
        hasShapes={shapes.all.length > 0}
        folding={isPhone ? { isOpen: areToolsOpen, onFold: () => setAreToolsOpen(!areToolsOpen) } : null}
        onChange={choose}
        onOpen={files.open}
        onDownload={fileName === undefined ? undefined : () => files.download(fileName)}
      />
      <DrawingBar
        task={task}
        news={news}
        history={task === null ? history : null}
        problem={task?.problem ?? shapes.problem}
        isByKeyboard={drawing !== null && keys.areLeading}
        onForget={() => setNews(null)}
      />
    </>
  )
}

/** The settings may remove the open tool, and another user may delete the last shape. */
function isPossible(name: TaskName | null, tools: readonly DrawingTool[], hasShapes: boolean): boolean {
  return name === 'edit' || name === 'delete' ? hasShapes : name !== null && tools.includes(name)
}

export function useRefusal() {
  const [refusal, setRefusal] = useState<{ forMs: number } | null>(null)
  useEffect(() => {
    if (!refusal) return
    const timer = window.setTimeout(() => setRefusal(null), refusal.forMs)
    return () => window.clearTimeout(timer)
  }, [refusal])
  return {
    isRefused: refusal !== null,
    refuse: (forMs: number) => setRefusal({ forMs }),
    forget: () => setRefusal(null),
  }
}
