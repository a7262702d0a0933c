import { useState } from 'react'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { defaultDrawingTools } from '#domain/map-configuration/map-constants.ts'
import { useClosedSession } from '#web/api/closed-session.ts'
import { useMay, useSession } from '#web/api/use-session.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import type { ToolProps } from '#web/workspace/tool.ts'
import { DrawingKit } from './shapes/drawing-kit.tsx'
import { tabStorage } from './shapes/shape-storage.ts'

const SavedDrawing = lazyPart(() =>
  import('./saving/saved-drawing.tsx').then((module) => module.SavedDrawing),
)

export function DrawingPart({ mapId, configuration, onAdd }: ToolProps) {
  const session = useSession()
  const isEditor = useMay('editor', mapId)
  const personId = session.status === 'authenticated' ? session.person.id : null
  // An expired session keeps everything until the user signs in again.
  const [staffId, setStaffId] = useState<string | null>(null)
  const isClosed = useClosedSession() !== null
  const staff =
    personId === null ? (isClosed ? null : staffId) : isEditor && mapId !== sampleMapId ? personId : null
  if (staff !== staffId) setStaffId(staff)

  const tab = tabStorage(mapId)
  const tools = configuration?.configuration.drawingTools ?? defaultDrawingTools
  if (session.status === 'loading') return null
  if (staff === null) return <DrawingKit tools={tools} fileName={`${mapId}-shapes`} storage={tab} />
  return (
    <Guard what="Drawing" layout="note" waiting={null}>
      <SavedDrawing key={staff} mapId={mapId} personId={staff} tab={tab} tools={tools} onAdd={onAdd} />
    </Guard>
  )
}
