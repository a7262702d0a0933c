import { useEditorId } from '#web/api/use-session.ts'
import { shapeDrafts } from '#web/workspace/shaping.ts'
import type { ToolProps } from '#web/workspace/tool.ts'
import { ShapeEditor } from './shape-editor.tsx'

export function ShapingPart(props: ToolProps) {
  const editorId = useEditorId(props.mapId)
  return editorId && <OpenDraft {...props} editorId={editorId} />
}

function OpenDraft({ mapId, selectedId, onSelect, editorId }: ToolProps & { editorId: string }) {
  const drafts = shapeDrafts(editorId, mapId)
  const draft = drafts.use()
  if (!draft) return null
  const leave = (removed: ReadonlySet<string>) => {
    if (selectedId !== undefined && removed.has(selectedId))
      onSelect?.(draft.added[draft.id] ? undefined : draft.id)
  }
  // Shapes of different kinds share no corners, so another kind starts without the loaded ones.
  const key = `${draft.kind} ${draft.begin ? JSON.stringify(draft.begin) : ''}`
  return (
    <ShapeEditor
      key={key}
      mapId={mapId}
      draft={draft}
      drafts={drafts}
      onRemoved={leave}
      onAdded={(id) => onSelect?.(id)}
    />
  )
}
