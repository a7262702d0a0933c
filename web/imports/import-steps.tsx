import { Button, Progress } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { unwrapped } from '#domain/geometry/box.ts'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import {
  type ImportDraft,
  type ImportDraftState,
  type ImportOutcome,
  isImportStep,
} from '#domain/imports/import-draft.schema.ts'
import { counted, formatList } from '#domain/values/wording.ts'
import {
  changeImportSettings,
  forgetImport,
  type ImportRequest,
  importDraftsQuery,
  keepDraft,
  requestImport,
} from '#web/api/imports.api.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { formatBytes } from '#web/ui/measures.ts'
import { DropFiles } from './drop-files.tsx'
import { type FollowedMap, useFollowRows } from './follow-rows.ts'
import { ImportOutcomeView } from './import-outcome.tsx'
import classes from './import-panel.module.css'
import { ImportSettingsForm } from './import-settings-form.tsx'
import { isOwnExport } from './own-export.ts'
import { TrialRows, type TrialRowsMeans } from './trial-rows.tsx'
import { cancelUpload, continueUpload, type ImportUpload } from './uploads.ts'
import { useIsSavingSettings } from './use-settings.ts'
import { describeImport, doneWords, importName, importWords, stateWords, undoneWords } from './words.ts'

type ImportStep = {
  label: string
  states: readonly ImportDraftState[]
  /** Of a step that can be opened once there is a preview. */
  isMatching?: boolean
}

const steps: readonly ImportStep[] = [
  { label: '1. Files', states: ['receiving', 'examining', 'refused'] },
  { label: '2. Match columns', states: ['examined'], isMatching: true },
  { label: '3. Preview', states: ['trying', 'tried'], isMatching: false },
  { label: '4. Import', states: ['importing', 'imported', 'undoing', 'undone'] },
]

type ImportStepsProps = {
  mapId: string
  draft: ImportDraft | null
  upload: ImportUpload | undefined
  rows: TrialRowsMeans & FollowedMap
  onClose(): void
}

export function ImportSteps({ mapId, draft, upload, rows, onClose }: ImportStepsProps) {
  const state = draft && !upload ? draft.state : 'receiving'
  const [isMatching, setIsMatching] = useState(false)
  const isBack = state === 'tried' && isMatching
  const shown = isBack ? 'examined' : state
  return (
    <>
      <h2 className={classes.title}>{draft ? importName(draft) : 'Import'}</h2>
      <ol className={classes.steps} aria-label="Steps">
        {steps.map(({ label, states, isMatching: opens }) => (
          <li key={label} aria-current={states.includes(shown) ? 'step' : undefined}>
            {state === 'tried' && opens !== undefined && opens !== isBack ? (
              <button type="button" onClick={() => setIsMatching(opens)}>
                {label}
              </button>
            ) : (
              label
            )}
          </li>
        ))}
      </ol>
      {upload ? (
        <UploadProgress mapId={mapId} upload={upload} onClose={onClose} />
      ) : (
        draft && (
          <Step
            mapId={mapId}
            draft={draft}
            rows={rows}
            isMatching={isBack || state === 'examined'}
            onMatch={setIsMatching}
            onClose={onClose}
          />
        )
      )}
    </>
  )
}

type UploadProgressProps = { mapId: string; upload: ImportUpload; onClose(): void }

function UploadProgress({ mapId, upload, onClose }: UploadProgressProps) {
  const client = useQueryClient()
  const { size, sent, speed, state, reason } = upload
  const words =
    state === 'failed'
      ? reason
      : state === 'offline'
        ? 'Waiting for the server. The upload will continue automatically.'
        : `${formatBytes(sent)} of ${formatBytes(size)} uploaded${speed === null ? '' : `, ${formatBytes(speed)}/s`}`
  return (
    <div className={classes.work}>
      <Progress value={(100 * sent) / size} aria-label="Upload" />
      <p role="status" className={state === 'failed' ? classes.problem : undefined}>
        {words}
      </p>
      <FormFooter>
        <Button
          variant="default"
          onClick={() => {
            void cancelUpload(client, mapId, upload.id)
            onClose()
          }}
        >
          {state === 'failed' ? 'Discard' : 'Cancel'}
        </Button>
      </FormFooter>
    </div>
  )
}

type StepProps = Pick<ImportStepsProps, 'mapId' | 'rows' | 'onClose'> & {
  draft: ImportDraft
  isMatching: boolean
  onMatch(isMatching: boolean): void
}

function Step({ mapId, draft, rows, isMatching, onMatch, onClose }: StepProps) {
  const client = useQueryClient()
  const isSaving = useIsSavingSettings(draft.id)
  useFollowRows(draft, rows)
  const asking = useMutation({
    mutationFn: (request: ImportRequest) => requestImport(mapId, draft.id, request),
    onSuccess(changed, request) {
      keepDraft(client, mapId, changed)
      if (request === 'try') onMatch(false)
    },
  })
  const forgetting = useMutation({
    mutationFn: () => forgetImport(mapId, draft.id),
    onSuccess() {
      void client.invalidateQueries({ queryKey: importDraftsQuery(mapId).queryKey })
      onClose()
    },
  })
  const usingId = useMutation({
    mutationFn: (column: string) =>
      changeImportSettings(mapId, draft.id, { columns: { ...draft.settings.columns, id: column } }),
    onSuccess(changed) {
      keepDraft(client, mapId, changed)
      asking.mutate('try')
    },
  })
  const ask = (request: ImportRequest) => () => asking.mutate(request)
  const error = asking.error ?? forgetting.error ?? usingId.error
  const isUndoable = draft.state === 'imported' && draft.outcome !== null && hasChanged(draft.outcome)
  const forget = (
    <AskingButton
      label={draft.state === 'imported' || draft.state === 'undone' ? 'Remove from list' : 'Discard'}
      variant="subtle"
      isAsking={forgetting.isPending}
      confirmTitle={isUndoable ? 'Remove this import from the list?' : null}
      go="Remove from list"
      onGo={() => forgetting.mutate()}
    >
      <p>Its records stay on the map, but you can no longer undo the import.</p>
    </AskingButton>
  )
  return (
    <>
      {(draft.problem !== null || error) && (
        <p className={classes.problem} role="alert">
          {error?.message ?? draft.problem}
        </p>
      )}
      {isImportStep(draft.state) && (
        <AtWork draft={draft} isCancelling={asking.isPending} onCancel={ask('cancel')} />
      )}
      {draft.state === 'receiving' && (
        <>
          <p className={classes.note}>The upload is incomplete. Choose the same files to continue.</p>
          <GoOn mapId={mapId} draft={draft} />
          <FormFooter>{forget}</FormFooter>
        </>
      )}
      {draft.state === 'refused' && <FormFooter>{forget}</FormFooter>}
      {isMatching && (
        <ImportSettingsForm
          mapId={mapId}
          draft={draft}
          onTry={ask('try')}
          isTrying={asking.isPending}
          footer={(preview) => (
            <FormFooter
              questions={
                draft.settings.kind === null ? (
                  <p className={classes.note}>Choose ‘Import as’ to see a preview.</p>
                ) : (
                  <FarRowsWarning
                    mapId={mapId}
                    land={rows.land}
                    draft={draft}
                    onShowOnMap={rows.onShowAllOnMap}
                  />
                )
              }
            >
              {forget}
              {preview}
            </FormFooter>
          )}
        />
      )}
      {draft.state === 'tried' && !isMatching && draft.outcome && (
        <>
          <ImportOutcomeView
            mapId={mapId}
            outcome={draft.outcome}
            settings={draft.settings}
            isDone={false}
            onUseId={(column) => usingId.mutate(column)}
          >
            <TrialRows mapId={mapId} draft={draft} outcome={draft.outcome} {...rows} />
          </ImportOutcomeView>
          <FormFooter
            questions={
              changeCount(draft) === 0 &&
              draft.outcome.removedHere > 0 &&
              !draft.settings.bringsBack && (
                <p className={classes.note}>
                  Records of this file were removed. Choose ‘Restore removed records’ to import them again.
                </p>
              )
            }
          >
            {forget}
            <Button variant="default" onClick={() => onMatch(true)}>
              Back
            </Button>
            {draft.outcome.isStale ? (
              <Button loading={asking.isPending} disabled={isSaving} onClick={ask('try')}>
                Update preview
              </Button>
            ) : (
              <ImportButton
                draft={draft}
                doubts={draft.outcome.doubts}
                isAsking={asking.isPending}
                isDisabled={isSaving || changeCount(draft) === 0}
                onImport={ask('import')}
              />
            )}
          </FormFooter>
        </>
      )}
      {(draft.state === 'imported' || draft.state === 'undone') && draft.outcome && (
        <>
          {draft.undone ? (
            <p>{undoneWords(draft.undone)}</p>
          ) : (
            <>
              <p className={classes.done}>{doneWords(draft.outcome)}</p>
              <ImportOutcomeView mapId={mapId} outcome={draft.outcome} settings={draft.settings} isDone />
            </>
          )}
          <FormFooter>
            {forget}
            {draft.state === 'undone' && <Button onClick={onClose}>Import another file</Button>}
            {draft.state === 'imported' && (
              <>
                {hasChanged(draft.outcome) && (
                  <UndoButton
                    draft={draft}
                    isAsking={asking.isPending}
                    onAsk={(request) => asking.mutate(request)}
                  />
                )}
                {draft.settings.kind === 'parcel' && (
                  <Button variant="default" component={Link} to={`/config/map/${mapId}/land`}>
                    Check the land
                  </Button>
                )}
                <Button component={Link} to={`/config/map/${mapId}/features`}>
                  View features
                </Button>
              </>
            )}
          </FormFooter>
        </>
      )}
    </>
  )
}

type ImportButtonProps = Pick<AskingButtonProps, 'isAsking' | 'isDisabled'> & {
  draft: ImportDraft
  doubts: readonly string[]
  onImport(): void
}

function ImportButton({ draft, doubts, onImport, ...state }: ImportButtonProps) {
  return (
    <AskingButton
      {...state}
      label={importWords(draft)}
      confirmTitle={doubts.length > 0 ? 'Import with warnings?' : null}
      go="Import anyway"
      onGo={onImport}
    >
      <ul>
        {doubts.map((doubt) => (
          <li key={doubt}>{doubt}</li>
        ))}
      </ul>
    </AskingButton>
  )
}

const hasChanged = ({ created, updated, gone }: ImportOutcome) => created + updated + gone > 0

type UndoButtonProps = { draft: ImportDraft; isAsking: boolean; onAsk(request: ImportRequest): void }

function UndoButton({ draft: { undoFirst }, isAsking, onAsk }: UndoButtonProps) {
  const mustAsk = undoFirst.length > 0
  return (
    <AskingButton
      label="Undo"
      variant="default"
      isAsking={isAsking}
      confirmTitle={mustAsk ? 'Undo this import before newer ones?' : null}
      go="Undo anyway"
      onGo={() => onAsk(mustAsk ? 'undo anyway' : 'undo')}
    >
      <p>Records changed by these newer imports will not be undone. Undo these imports first:</p>
      <ul>
        {undoFirst.map((newer) => (
          <li key={newer.importedAt}>{describeImport(newer)}</li>
        ))}
      </ul>
    </AskingButton>
  )
}

type AskingButtonProps = {
  label: string
  variant?: 'default' | 'subtle'
  isAsking: boolean
  isDisabled?: boolean
  confirmTitle: string | null
  go: string
  onGo(): void
  children: ReactNode
}

function AskingButton(props: AskingButtonProps) {
  const { label, variant, isAsking, isDisabled = false, confirmTitle, go, onGo, children } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        {...(variant ? { variant } : {})}
        {...(variant === 'subtle' ? { color: 'gray' } : {})}
        loading={isAsking}
        disabled={isDisabled}
        onClick={() => (confirmTitle === null ? onGo() : setOpen(true))}
      >
        {label}
      </Button>
      <Confirmation
        title={confirmTitle ?? ''}
        isOpen={isOpen}
        stay="Cancel"
        onStay={() => setOpen(false)}
        go={go}
        onGo={() => {
          setOpen(false)
          onGo()
        }}
        isDestructive
      >
        {() => children}
      </Confirmation>
    </>
  )
}

type FarRowsWarningProps = {
  mapId: string
  land: Bounds | null
  draft: ImportDraft
  onShowOnMap(extent: Bounds): void
}

function FarRowsWarning({ mapId, land, draft, onShowOnMap }: FarRowsWarningProps) {
  const { found } = draft
  if (!found || found.layer === null) return null
  const { extent, columns } = found
  if (!extent && isOwnExport(columns, mapId))
    return <p className={classes.note}>Rows without coordinates do not move their records.</p>
  if (!extent)
    return (
      <p className={classes.problem}>The first rows have no location on the map. Preview them to see why.</p>
    )
  const isNear = !land || areNear(extent, land)
  if (isNear) return null
  return (
    <p className={classes.problem}>
      The first rows are outside the land of this map.{' '}
      <button type="button" className={classes.look} onClick={() => onShowOnMap(extent)}>
        Show on map
      </button>
    </p>
  )
}

function areNear(extent: Bounds, land: Bounds): boolean {
  const { west, east } = unwrapped(land)
  const reach = Math.max(neighborhood, east - west, land.north - land.south)
  const rows = unwrapped(extent)
  // One of them may be across the date line.
  return (
    [-360, 0, 360].some((turn) => rows.west + turn <= east + reach && rows.east + turn >= west - reach) &&
    extent.south <= land.north + reach &&
    extent.north >= land.south - reach
  )
}

/** In degrees: about five kilometers. */
const neighborhood = 0.05

function changeCount({ outcome, settings }: ImportDraft): number {
  if (!outcome) return 0
  const { created, updated, gone } = outcome
  return created + updated + (settings.missing === 'keep' ? 0 : gone)
}

function GoOn({ mapId, draft }: { mapId: string; draft: ImportDraft }) {
  const client = useQueryClient()
  const going = useMutation({
    mutationFn: async (files: readonly File[]) => {
      if (continueUpload(client, mapId, draft, files)) return
      const names = formatList(draft.files.map(({ name }) => name))
      throw new Error(`These are different files. Choose ${names}.`)
    },
  })
  return (
    <>
      {/* The size was checked when they were announced. */}
      <DropFiles maxBytes={undefined} onFiles={(files) => going.mutate(files)} />
      {going.error && (
        <p className={classes.problem} role="alert">
          {going.error.message}
        </p>
      )}
    </>
  )
}

const phaseWords = { reading: 'read', comparing: 'compared', publishing: 'imported' } as const

type AtWorkProps = { draft: ImportDraft; isCancelling: boolean; onCancel(): void }

function AtWork({ draft: { state, progress }, isCancelling, onCancel }: AtWorkProps) {
  const share = progress?.totalBytes ? (100 * progress.bytesRead) / progress.totalBytes : null
  return (
    <div className={classes.work}>
      <Progress value={share ?? 100} animated={share === null} aria-label={stateWords[state]} />
      <p role="status">
        {stateWords[state]}
        {progress && `: ${counted(progress.rows, 'row')} ${phaseWords[progress.phase]}`}
      </p>
      <FormFooter>
        <Button variant="default" loading={isCancelling} onClick={onCancel}>
          Cancel
        </Button>
      </FormFooter>
    </div>
  )
}
