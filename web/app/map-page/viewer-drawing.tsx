import { useState } from 'react'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import type { MapConfigurationAnswer } from '#domain/map-configuration/map-configuration.schema.ts'
import { defaultDrawingTools } from '#domain/map-configuration/map-constants.ts'
import { useClosedSession } from '#web/api/closed-session.ts'
import { useMay, useSession } from '#web/api/use-session.ts'
import { DrawingKit } from '#web/map/drawing/drawing-kit.tsx'
import { tabStorage } from '#web/map/drawing/shape-storage.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { UnsavedShapes } from './unsaved-shapes.tsx'

// Only staff ever need it.
const SavedDrawing = lazyPart(() => import('./saved-drawing.tsx').then((module) => module.SavedDrawing))

type ViewerDrawingProps = {
  mapId: string
  configuration: MapConfigurationAnswer | undefined
  /** The saved drawing whose name and note are shown. */
  selected: string | null
  onSelect(id: string | null): void
  onActiveChange(isActive: boolean): void
}

/** The viewer's drawing tools: those that the map's configuration names. Staff save to the map, others to the tab. */
export function ViewerDrawing({
  mapId,
  configuration,
  selected,
  onSelect,
  onActiveChange,
}: ViewerDrawingProps) {
  const session = useSession()
  const isEditor = useMay('editor', mapId)
  const personId = session.status === 'authenticated' ? session.person.id : null
  // Where a session ends in the middle of something, everything stays until somebody is signed in again.
  const [staffId, setStaffId] = useState<string | null>(null)
  const isClosed = useClosedSession() !== null
  const staff =
    personId === null ? (isClosed ? null : staffId) : isEditor && mapId !== sampleMapId ? personId : null
  if (staff !== staffId) setStaffId(staff)

  const [tab] = useState(() => tabStorage(mapId))
  const [hasUnsaved, setHasUnsaved] = useState(false)
  const kit = {
    tools: configuration?.configuration.drawingTools ?? defaultDrawingTools,
    fileName: `${mapId}-shapes`,
    onActiveChange,
    onUnsavedChange: setHasUnsaved,
  }
  const guard = <UnsavedShapes hasUnsaved={hasUnsaved} />
  if (session.status === 'loading') return null
  if (staff === null)
    return (
      <>
        <DrawingKit {...kit} storage={tab} />
        {guard}
      </>
    )
  return (
    <Guard what="Drawing" look="note" waiting={null}>
      <SavedDrawing
        key={staff}
        mapId={mapId}
        personId={staff}
        tab={tab}
        kit={kit}
        selected={selected}
        onSelect={onSelect}
      />
      {guard}
    </Guard>
  )
}
