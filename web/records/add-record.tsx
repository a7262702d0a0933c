import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconFileText, IconPencil, IconPlus } from '@tabler/icons-react'
import { featureKinds, kindLabels } from '#domain/definition/kinds.ts'
import { newFileId } from '#web/api/files.api.ts'
import { TypeIcon } from '#web/features/type-icon.tsx'
import type { RecordStart } from '#web/workspace/placing.ts'
import { startShaping } from '#web/workspace/shaping.ts'
import { changesOf, type Draft, isNew, titleOf } from './record-draft.ts'
import { recordDrafts } from './record-drafts.ts'
import { waitingFiles } from './waiting-files.ts'

type AddRecordProps = {
  mapId: string
  editorId: string
  isSmall: boolean
  onAdd(start: RecordStart): void
  onContinue(id: string): void
}

const hasWork = (draft: Draft) => changesOf(draft).length > 0 || waitingFiles.of(draft.base).length > 0

export function AddRecord({ mapId, editorId, isSmall, onAdd, onContinue }: AddRecordProps) {
  const begun = recordDrafts(editorId)
    .use()
    .filter((draft) => isNew(draft.base) && draft.base.mapId === mapId && hasWork(draft))
  const addFromDeed = () =>
    startShaping(editorId, mapId, {
      kind: 'parcel',
      id: newFileId(),
      begin: { mode: 'deed' },
    })
  return (
    <Menu position="bottom-end" withinPortal returnFocus>
      <Menu.Target>
        {isSmall ? (
          <ActionIcon variant="default" size={44} aria-label="Add">
            <IconPlus size={20} />
          </ActionIcon>
        ) : (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden="true" />} flex="none">
            Add
          </Button>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {begun.map((draft) => (
          <Menu.Item
            key={draft.base.id}
            leftSection={<IconPencil size={18} aria-hidden="true" />}
            onClick={() => onContinue(draft.base.id)}
          >
            Continue: {titleOf(draft)}
          </Menu.Item>
        ))}
        {begun.length > 0 && <Menu.Divider />}
        {featureKinds.map((kind) => (
          <Menu.Item
            key={kind}
            leftSection={<TypeIcon kind={kind} type={null} size={20} />}
            onClick={() => onAdd({ kind })}
          >
            {kindLabels[kind].one}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconFileText size={18} aria-hidden="true" />} onClick={addFromDeed}>
          Parcel from a deed
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
