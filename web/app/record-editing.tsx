import type { ReactNode } from 'react'
import type { EditingSlot } from '#web/features/detail-panel.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

// Nobody but editors ever loads what changes records.
const RecordEditing = lazyPart(() =>
  import('#web/records/record-editing.tsx').then((module) => module.RecordEditing),
)
const UnsavedRecords = lazyPart(() =>
  import('#web/records/unsaved-records.tsx').then((module) => module.UnsavedRecords),
)

/** What the details of a map's features are edited with; undefined for whoever may not. */
export function editingFor(editorId: string | null, onRemoved: () => void) {
  if (editorId === null) return undefined
  return (slot: EditingSlot): ReactNode => (
    <RecordEditing key={slot.feature.id} {...slot} editorId={editorId} onRemoved={onRemoved} />
  )
}

/** Stands on a screen of a map, whatever is selected there. */
export function RecordsGuard({ mapId, editorId }: { mapId: string; editorId: string | null }) {
  if (editorId === null) return null
  return (
    <Guard what="What keeps your changes" layout="note" waiting={null}>
      <UnsavedRecords key={`${mapId} ${editorId}`} mapId={mapId} editorId={editorId} />
    </Guard>
  )
}
