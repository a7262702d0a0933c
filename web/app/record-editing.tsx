import { ActionIcon, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { EditingSlot } from '#web/features/detail-panel.tsx'
import { placingTool } from '#web/tools/drawing/placing-tool.tsx'
import { shapingTool } from '#web/tools/shaping/shaping-tool.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { loadChunk } from '#web/ui/load-chunk.ts'
import { RoomFor } from '#web/ui/room-for.tsx'
import type { RecordStart } from '#web/workspace/placing.ts'
import type { Tool } from '#web/workspace/tool.ts'
import type { Workspace } from '#web/workspace/use-workspace.ts'

const RecordEditing = lazyPart(() =>
  import('#web/records/record-editing.tsx').then((module) => module.RecordEditing),
)
const NewRecord = lazyPart(() =>
  import('./new-record-with-files.tsx').then((module) => module.NewRecordWithFiles),
)
const AddRecord = lazyPart(() => import('#web/records/add-record.tsx').then((module) => module.AddRecord))

type RecordSearch = { select?: string | undefined; add?: string | undefined; text?: string | undefined }

export type RecordEditor = {
  tools: readonly Tool[]
  add(start: RecordStart): void
  addButton(isSmall: boolean): ReactNode
  /** Replaces the details; null unless a record is being added. */
  newRecord: ReactNode
  editing(slot: EditingSlot): ReactNode
}

const roomForAdding = (isSmall: boolean) => (
  <RoomFor>
    {isSmall ? (
      <ActionIcon variant="default" size={44} />
    ) : (
      <Button variant="default" leftSection={<IconPlus size={16} />} flex="none">
        Add
      </Button>
    )}
  </RoomFor>
)

export function recordEditor<Search extends RecordSearch>(
  workspace: Workspace<Search>,
  editorId: string | null,
  onRemove: () => void,
  client: QueryClient,
): RecordEditor | null {
  if (editorId === null) return null
  const { mapId, address, select } = workspace
  const goOn = (id: string) =>
    address.update({ add: id, select: undefined } as Partial<Search>, { isStep: true })
  async function add(start: RecordStart) {
    try {
      const { startRecord } = await loadChunk(() => import('#web/records/record-drafts.ts'))
      goOn(startRecord(client, editorId as string, mapId, start))
    } catch (error) {
      // Already loaded for editors; public pages must not include it.
      const { showError } = await import('#web/ui/toasts.tsx')
      showError('Could not add a record', error as Error)
    }
  }
  const begin = (start: RecordStart) => void add(start)
  const id = address.search.add
  const close = () => select(undefined)
  return {
    tools: [placingTool, shapingTool],
    add: begin,
    addButton: (isSmall) => (
      <Guard what="The Add button" layout="inline" waiting={roomForAdding(isSmall)}>
        <AddRecord mapId={mapId} editorId={editorId} isSmall={isSmall} onAdd={begin} onContinue={goOn} />
      </Guard>
    ),
    newRecord: id !== undefined && (
      <Guard what="The form" layout="panel" subject={id} onClose={close}>
        <NewRecord
          key={id}
          mapId={mapId}
          id={id}
          editorId={editorId}
          onClose={close}
          onReopen={() => goOn(id)}
          onAdded={(added) => {
            select(added)
            // A search would hide the new record in the list.
            address.update({ text: undefined } as Partial<Search>)
          }}
          onGone={(gone) =>
            address.update(
              ({ select: selected }) => (selected === gone ? { select: undefined } : {}) as Partial<Search>,
            )
          }
        />
      </Guard>
    ),
    editing: (slot) => (
      <RecordEditing
        key={slot.feature.id}
        {...slot}
        editorId={editorId}
        onRemove={onRemove}
        onDuplicate={() => begin({ kind: slot.feature.kind, like: slot.feature })}
      />
    ),
  }
}
