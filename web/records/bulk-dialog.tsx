import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { type Field, singleFields } from '#domain/definition/definition.ts'
import { type FeatureStatus, statusLabels } from '#domain/definition/kinds.ts'
import type { BulkOperation, BulkPreview } from '#domain/features/bulk-change.schema.ts'
import {
  type BulkDescription,
  countOfKinds,
  describeBulkChange,
  type KindCounts,
} from '#domain/features/bulk-change.ts'
import { type CustomFields, fieldsOf, noCustomFields } from '#domain/features/custom-fields.ts'
import type { DefinedKind } from '#domain/features/definitions.ts'
import { isEqual } from '#domain/values/is-equal.ts'
import { counted, formatNumber, plural } from '#domain/values/wording.ts'
import { type BulkTarget, bulkPreviewQuery } from '#web/api/bulk-changes.api.ts'
import { useCustomFields } from '#web/api/custom-fields.api.ts'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import classes from './bulk-bar.module.css'
import { FieldChanges } from './field-changes.tsx'
import { type FormField, read, setAt } from './record-draft.ts'
import { RecordField } from './record-field.tsx'
import type { StartingBulk } from './use-bulk-changes.ts'

export type BulkIntent = { kind: 'status'; status: FeatureStatus } | { kind: 'fields' } | { kind: 'remove' }

type BulkDialogProps = {
  mapId: string
  target: BulkTarget
  /** '102 assets' */
  selected: string
  intent: BulkIntent | null
  starting: StartingBulk
  onClose(): void
}

export function BulkDialog({ intent, selected, onClose, ...props }: BulkDialogProps) {
  const { starting } = props
  const begin = useEffectEvent(() => starting.reset())
  useEffect(() => {
    if (intent) begin()
  }, [intent])
  return (
    <Dialog
      title={intent ? titleOf(intent, selected) : ''}
      isOpen={intent !== null}
      onClose={onClose}
      size="lg"
    >
      {() => intent && <BulkForm intent={intent} onClose={onClose} {...props} />}
    </Dialog>
  )
}

function titleOf(intent: BulkIntent, selected: string): string {
  if (intent.kind === 'status') return `Set status: ${statusLabels[intent.status].toLowerCase()}`
  return intent.kind === 'remove' ? `Remove ${selected}?` : 'Edit fields'
}

type BulkFormProps = Omit<BulkDialogProps, 'intent' | 'selected'> & { intent: BulkIntent }

const pauseMs = 250

function BulkForm({ mapId, target, intent, starting, onClose }: BulkFormProps) {
  const [edits, setEdits] = useState<Edits>({})
  const { operation, problems } = operationOf(intent, edits)
  const [previewed] = useDebouncedValue(operation, pauseMs)
  // Without changes, the preview returns the common fields.
  const preview = useQuery(bulkPreviewQuery(mapId, target, previewed))
  const { data } = preview
  if (preview.isError && !data)
    return (
      <ErrorState
        title="Could not load the preview."
        error={preview.error}
        onRetry={() => preview.refetch()}
      />
    )
  if (!data) return <LoadingRows label="Loading preview" rows={2} />
  const isCurrent = !preview.isPlaceholderData && isEqual(previewed, operation)
  const { status } = operation.patch ?? {}
  const description: BulkDescription = {
    action: operation.kind,
    kinds: kindsIn(data),
    fields: Object.keys(operation.patch ?? {}),
    status:
      intent.kind === 'status' ? intent.status : intent.kind === 'fields' ? asStatus(status) : undefined,
  }
  const isReady = isCurrent && data.changing > 0 && problems.size === 0
  return (
    <CheckedForm
      className={classes.dialog}
      refusal={starting.error}
      onSubmit={() => {
        if (isReady && !starting.isPending)
          starting.mutate({ target, operation, description, count: data.total })
      }}
    >
      {intent.kind === 'fields' && (
        <CommonFields mapId={mapId} preview={data} edits={edits} problems={problems} onChange={setEdits} />
      )}
      <div className={classes.preview} data-stale={!isCurrent || undefined} aria-live="polite">
        {intent.kind === 'fields' && description.fields.length === 0 ? (
          <p>No changes yet. Fields you do not edit stay unchanged.</p>
        ) : (
          <Outcome mapId={mapId} preview={data} intent={intent} />
        )}
      </div>
      <FormFooter failure={starting.error && `No records changed: ${starting.error.message}`}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          color={intent.kind === 'remove' ? 'red.9' : undefined}
          // The dialog opened, with the focus on its first button, before the preview was loaded.
          autoFocus={intent.kind === 'status'}
          loading={starting.isPending}
          data-disabled={!isReady || undefined}
          aria-disabled={!isReady}
        >
          {intent.kind === 'fields' && description.fields.length === 0
            ? 'Apply changes'
            : describeBulkChange(description, data.changing || data.total - data.left)}
        </Button>
      </FormFooter>
    </CheckedForm>
  )
}

const kindsIn = ({ kinds }: BulkPreview) => kinds as KindCounts

const asStatus = (status: unknown) =>
  typeof status === 'string' && status in statusLabels ? (status as FeatureStatus) : undefined

function operationOf(
  intent: BulkIntent,
  edits: Edits,
): { operation: BulkOperation; problems: Map<string, string> } {
  const problems = new Map<string, string>()
  if (intent.kind === 'remove') return { operation: { kind: 'remove' }, problems }
  if (intent.kind === 'status') {
    const { status } = intent
    const isOfIncident = status === 'resolved' || status === 'unresolved'
    const patch = isOfIncident ? { resolved: status === 'resolved' } : { status }
    return { operation: { kind: 'change', patch }, problems }
  }
  const patch: Record<string, unknown> = {}
  for (const [path, { field, text }] of Object.entries(edits)) {
    const input = read(field, text)
    if ('problem' in input) {
      problems.set(path, input.problem)
      continue
    }
    setAt(patch, path, input.value)
  }
  return { operation: { kind: 'change', patch }, problems }
}

type Edits = Readonly<Record<string, { field: Field; text: string }>>

type CommonFieldsProps = {
  mapId: string
  preview: BulkPreview
  edits: Edits
  problems: ReadonlyMap<string, string>
  onChange(edits: Edits): void
}

function CommonFields({ mapId, preview, edits, problems, onChange }: CommonFieldsProps) {
  const customFields = useCustomFields(mapId)
  return (
    <div className={classes.fields}>
      {commonFields(preview, customFields).map(({ path, field }) => {
        const isEdited = path in edits
        const current = preview.fields[path]
        const isOne = current?.different === 1
        const shown = isOne ? String(current.value ?? '') : ''
        const differing = isEdited || isOne ? undefined : counted(current?.different ?? 0, 'different value')
        const type = field.value.type
        const isShownBelow = differing && ['day', 'instant', 'flag'].includes(type)
        return (
          <div key={path} className={classes.field} data-changed={isEdited || undefined}>
            <RecordField
              path={path}
              field={{
                ...field,
                ...(isOne ? {} : { isRequired: undefined }),
                ...(isShownBelow ? { help: differing } : {}),
              }}
              base={{ mapId, referenceNames: {} }}
              text={edits[path]?.text ?? shown}
              mark={isEdited ? 'changes' : undefined}
              problem={problems.get(path)}
              placeholder={differing}
              onChange={(text) => onChange({ ...edits, [path]: { field, text } })}
            />
          </div>
        )
      })}
    </div>
  )
}

function commonFields({ kinds, fields }: BulkPreview, customFields: CustomFields): FormField[] {
  const [kind, ...others] = Object.keys(kinds) as DefinedKind[]
  if (kind === undefined) return []
  // Custom fields belong to one kind; built-in fields with the same name are shared.
  return singleFields(fieldsOf(kind, others.length === 0 ? customFields : noCustomFields))
    .filter(([path]) => Object.hasOwn(fields, path))
    .map(([path, field]) => ({ path, field }))
}

const shownFirst = 5

type OutcomeProps = { mapId: string; preview: BulkPreview; intent: BulkIntent }

function Outcome({ mapId, preview, intent }: OutcomeProps) {
  const { changing, left, leftFeatures, sample } = preview
  const [first] = leftFeatures
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? sample : sample.slice(0, shownFirst)
  const more = `and ${formatNumber(changing - shown.length)} more`
  return (
    <>
      <p>{intent.kind === 'remove' ? removalText(preview) : changeText(preview)}</p>
      {left > 0 && (
        <p>
          {formatNumber(left)} skipped: the change does not apply
          {first && ` to ‘${first.name || 'Untitled'}’${left > 1 ? ' and others' : ''}`}.
        </p>
      )}
      <ul className={classes.sample}>
        {shown.map(({ id, kind, name, changes }) => (
          <li key={id}>
            <b>{name || 'Untitled'}</b>
            <FieldChanges mapId={mapId} kind={kind} changes={changes} names={{}} />
          </li>
        ))}
        {changing > shown.length && (
          <li>
            {shown.length < sample.length ? (
              <Button variant="subtle" size="compact-sm" onClick={() => setIsWhole(true)}>
                {more}
              </Button>
            ) : (
              more
            )}
          </li>
        )}
      </ul>
    </>
  )
}

function removalText(preview: BulkPreview): string {
  return `You can restore ${plural(preview.total, 'it', 'them')} for 30 days.`
}

function changeText(preview: BulkPreview): string {
  const { total, changing, same } = preview
  const kinds = kindsIn(preview)
  const all = countOfKinds(kinds, total)
  if (changing === total) return `${all} will change.`
  const some = `${formatNumber(changing)} of ${all} will change`
  return same === 0
    ? `${some}.`
    : `${some}; ${formatNumber(same)} already ${plural(same, 'matches', 'match')}.`
}
