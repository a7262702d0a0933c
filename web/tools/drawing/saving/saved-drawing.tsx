import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ToolProps } from '#web/workspace/tool.ts'
import { DrawingKit, type DrawingKitProps } from '../shapes/drawing-kit.tsx'
import type { ShapeStorage } from '../shapes/shape-storage.ts'
import { DrawingsPanel } from './drawings-panel.tsx'
import { mapStorage } from './map-storage.ts'

type SavedDrawingProps = {
  mapId: string
  personId: string
  tab: ShapeStorage
  tools: DrawingKitProps['tools']
  onAdd: ToolProps['onAdd']
}

export function SavedDrawing({ mapId, personId, tab, tools, onAdd }: SavedDrawingProps) {
  const queryClient = useQueryClient()
  const [storage] = useState(() => mapStorage(queryClient, mapId, personId))
  const [isActive, setIsActive] = useState(false)
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <>
      <DrawingKit
        tools={tools}
        storage={storage}
        onActiveChange={(active) => {
          setIsActive(active)
          if (active) setSelected(null)
        }}
        onPick={setSelected}
      />
      <DrawingsPanel
        mapId={mapId}
        storage={storage}
        tab={tab}
        isDrawing={isActive}
        selected={selected}
        onSelect={setSelected}
        onAdd={onAdd}
      />
    </>
  )
}
