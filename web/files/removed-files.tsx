import type { FilesOfFeature } from '#domain/files/file.schema.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { fileLabel } from './file-names.ts'
import classes from './removed-files.module.css'
import type { FileChanges } from './use-file-changes.ts'

type RemovedFilesProps = { removed: FilesOfFeature['removed']; changes: FileChanges }

export function RemovedFiles({ removed, changes: { restoring } }: RemovedFilesProps) {
  return (
    <div className={classes.removed}>
      <Disclosure label={`Removed files (${removed.length})`} look="quiet">
        <ul className={classes.list}>
          {removed.map((file) => (
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
                loading={restoring.isPending && restoring.variables.file.id === file.id}
                onClick={() => restoring.mutate({ file })}
              >
                Restore
              </SmallButton>
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
  )
}
