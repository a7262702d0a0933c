import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import type { ImportDraftSummary } from '#domain/imports/import-draft.schema.ts'
import { importDraftQuery, importDraftsQuery } from '#web/api/imports.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { ErrorState, loadFailure } from '#web/ui/error-state.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { LoadingRows, NoPermission } from '#web/ui/states.tsx'
import { DropFiles } from './drop-files.tsx'
import classes from './import-panel.module.css'
import { ImportSteps } from './import-steps.tsx'
import { isCanceled, uploadFiles, useImportUpload } from './uploads.ts'
import { importName, stateWords } from './words.ts'

type ImportPanelProps = {
  mapId: string
  draftId: string | undefined
  onOpen(draftId: string | undefined): void
  rows: ComponentProps<typeof ImportSteps>['rows']
}

export function ImportPanel({ mapId, draftId, onOpen, rows }: ImportPanelProps) {
  const mayEdit = useMay('editor', mapId)
  if (!mayEdit)
    return (
      <div className={classes.panel}>
        <NoPermission text="Only editors of this client can import files." />
      </div>
    )
  return draftId === undefined ? (
    <AllImports mapId={mapId} onOpen={onOpen} />
  ) : (
    <OneImport key={draftId} mapId={mapId} draftId={draftId} rows={rows} onClose={() => onOpen(undefined)} />
  )
}

function AllImports({ mapId, onOpen }: Pick<ImportPanelProps, 'mapId' | 'onOpen'>) {
  const client = useQueryClient()
  const drafts = useQuery(importDraftsQuery(mapId))
  return (
    <div className={classes.panel}>
      <DropFiles
        maxBytes={drafts.data?.mostBytes}
        onFiles={(files) => onOpen(uploadFiles(client, mapId, files))}
      />
      {loadFailure(drafts, 'Could not load the imports.')}
      {drafts.isPending && <LoadingRows label="Loading imports" />}
      {drafts.data && drafts.data.items.length > 0 && (
        <section aria-label="Imports">
          <h2>Imports</h2>
          <ul className={classes.list}>
            {drafts.data.items.map((draft) => (
              <li key={draft.id}>
                <DraftRow draft={draft} onOpen={() => onOpen(draft.id)} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function DraftRow({ draft, onOpen }: { draft: ImportDraftSummary; onOpen(): void }) {
  return (
    <button type="button" className={classes.row} onClick={onOpen}>
      <b>{importName(draft)}</b>
      <span>
        {stateWords[draft.state]} · {draft.startedBy} ·{' '}
        <time dateTime={draft.startedAt} title={exactTime(draft.startedAt)}>
          {relativeTime(draft.startedAt)}
        </time>
      </span>
    </button>
  )
}

type OneImportProps = Pick<ImportPanelProps, 'mapId' | 'rows'> & { draftId: string; onClose(): void }

function OneImport({ mapId, draftId, rows, onClose }: OneImportProps) {
  const upload = useImportUpload(draftId)
  // The server may not know it before the first bytes are sent.
  const isOnServer = upload === undefined && !isCanceled(draftId)
  const answer = useQuery({ ...importDraftQuery(mapId, draftId), enabled: isOnServer })
  return (
    <div className={classes.panel}>
      <nav>
        <Button variant="subtle" size="compact-sm" className={classes.back} onClick={onClose}>
          All imports
        </Button>
      </nav>
      {answer.isError && !answer.data && !upload ? (
        <ErrorState
          title="Could not load the import."
          error={answer.error}
          onRetry={() => answer.refetch()}
        />
      ) : (
        <ImportSteps
          mapId={mapId}
          draft={answer.data ?? null}
          upload={upload}
          rows={rows}
          onClose={onClose}
        />
      )}
    </div>
  )
}
