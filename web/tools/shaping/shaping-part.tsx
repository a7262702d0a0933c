import { useEditorId } from '#web/api/use-session.ts'
import { shapeDrafts } from '#web/workspace/shaping.ts'
import type { ToolProps } from '#web/workspace/tool.ts'
import { ShapeEditor } from './shape-editor.tsx'

export function ShapingPart({ mapId }: ToolProps) {
  const editorId = useEditorId(mapId)
  return editorId && <OpenDraft mapId={mapId} editorId={editorId} />
}

function OpenDraft({ mapId, editorId }: { mapId: string; editorId: string }) {
  const drafts = shapeDrafts(editorId, mapId)
  const draft = drafts.use()
  return draft && <ShapeEditor mapId={mapId} draft={draft} drafts={drafts} />
}
