import type { ReactNode } from 'react'
import type { EditingSlot } from '#web/features/detail-panel.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

// Nobody but editors ever loads what changes records.
const RecordEditing = lazyPart(() =>
  import('#web/records/record-editing.tsx').then((module) => module.RecordEditing),
)

/** What the details of a map's features are edited with; undefined for whoever may not. */
export function editingFor(editorId: string | null, onRemove: () => void) {
  if (editorId === null) return undefined
  return (slot: EditingSlot): ReactNode => (
    <RecordEditing key={slot.feature.id} {...slot} editorId={editorId} onRemove={onRemove} />
  )
}
