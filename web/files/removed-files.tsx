import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { FilesOfFeature } from '#domain/files/file.schema.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { fileLabel } from './file-names.ts'
import classes from './removed-files.module.css'
import type { FileChanges } from './use-file-changes.ts'

type RemovedFilesProps = { removed: FilesOfFeature['removed']; changes: FileChanges }

export function RemovedFiles({ removed, changes: { restoring } }: RemovedFilesProps) {
  const [isOpen, setIsOpen] = useState(false)
  const listId = useId()
  return (
    <div className={classes.removed}>
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconChevronRight size={16} aria-hidden="true" data-open={isOpen || undefined} />
        Removed files ({removed.length})
      </UnstyledButton>
      <ul id={listId} className={classes.list}>
        {isOpen &&
          removed.map((file) => (
            <li key={file.id}>
              <span>
                {fileLabel(file)}, removed{' '}
                <time dateTime={file.removedAt} title={exactTime(file.removedAt)}>
                  {relativeTime(file.removedAt)}
                </time>
                {file.removedBy && ` by ${file.removedBy}`}
              </span>
              <SmallButton
                size="compact-sm"
                aria-label={`Restore ${fileLabel(file)}`}
                loading={restoring.isPending && restoring.variables.id === file.id}
                onClick={() => restoring.mutate(file)}
              >
                Restore
              </SmallButton>
            </li>
          ))}
      </ul>
    </div>
  )
}
