import { useState } from 'react'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { defaultDrawingTools } from '#domain/map-configuration/map-constants.ts'
import { DrawingKit } from '#web/map/drawing/drawing-kit.tsx'
import { tabStorage } from '#web/map/drawing/shape-storage.ts'

type ViewerDrawingProps = {
  mapId: string
  configuration: MapConfigurationAnswer | undefined
  onActiveChange(isActive: boolean): void
}

/** The viewer's drawing tools: those that the map's configuration names. */
export function ViewerDrawing({ mapId, configuration, onActiveChange }: ViewerDrawingProps) {
  const [storage] = useState(() => tabStorage(mapId))
  return (
    <DrawingKit
      tools={configuration?.configuration.drawingTools ?? defaultDrawingTools}
      storage={storage}
      fileName={`${mapId}-shapes`}
      onActiveChange={onActiveChange}
    />
  )
}
