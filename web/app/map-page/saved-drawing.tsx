import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DrawingsPanel } from '#web/drawings/drawings-panel.tsx'
import { mapStorage } from '#web/drawings/map-storage.ts'
import { DrawingKit, type DrawingKitProps } from '#web/map/drawing/drawing-kit.tsx'
import type { ShapeStorage } from '#web/map/drawing/shape-storage.ts'

type SavedDrawingProps = {
  mapId: string
  personId: string
  /** What was drawn in this tab before somebody signed in. */
  tab: ShapeStorage
  kit: Omit<DrawingKitProps, 'storage'>
  selected: string | null
  onSelect(id: string | null): void
}

/** The drawing tools of who may save to the map, and what is to be known of the drawings there. */
export function SavedDrawing({ mapId, personId, tab, kit, selected, onSelect }: SavedDrawingProps) {
  const queryClient = useQueryClient()
  const [storage] = useState(() => mapStorage(queryClient, mapId, personId))
  const [isActive, setIsActive] = useState(false)
  return (
    <>
      <DrawingKit
        {...kit}
        storage={storage}
        onActiveChange={(active) => {
          setIsActive(active)
          if (active) onSelect(null)
          kit.onActiveChange(active)
        }}
      />
      <DrawingsPanel
        mapId={mapId}
        storage={storage}
        tab={tab}
        isDrawing={isActive}
        selected={selected}
        onSelect={onSelect}
      />
    </>
  )
}
