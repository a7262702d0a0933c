import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Client } from '#domain/clients/client.schema.ts'
import { type CustomField, maxCustomFields } from '#domain/definition/custom-field.ts'
import type { Definition } from '#domain/definition/definition.ts'
import type { CustomFieldsAnswer } from '#domain/features/custom-fields.schema.ts'
import { type CustomFields, mapKinds } from '#domain/features/custom-fields.ts'
import { type DefinedKind, definitions } from '#domain/features/definitions.ts'
import { foldText } from '#domain/values/text.ts'
import { followChanges } from '#web/api/changes.ts'
import { changeCustomFields, customFieldsQuery } from '#web/api/custom-fields.api.ts'
import { newKey, RequestError } from '#web/api/http.ts'
import { useMay, useSession } from '#web/api/use-session.ts'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { showSuccess } from '#web/ui/toasts.tsx'
import type { Side } from '#web/ui/unsaved/compare-edits.ts'
import { ConflictField } from '#web/ui/unsaved/mine-or-theirs.tsx'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import classes from './configuration-panel.module.css'
import { CopyToOthers } from './copy-to-others.tsx'
import { CustomFieldEditor } from './custom-field-editor.tsx'
import {
  type CustomFieldsDraft,
  changesOfDraft,
  type DraftField,
  draftOf,
  fieldsOfDraft,
  problemsOfDraft,
  rebaseFields,
  settleKind,
  toDraftField,
  unsavedFields,
} from './custom-fields-draft.ts'

export function CustomFieldsPanel({ mapId }: { mapId: string }) {
  const answer = useQuery(customFieldsQuery(mapId))
  if (answer.data) return <Panel key={mapId} current={answer.data} />
  const failure = loadFailure(answer, 'Could not load the fields.')
  if (failure) return failure
  return (
    <div className={classes.fields}>
      <LoadingRows label="Loading fields" rows={4} height={64} />
    </div>
  )
}

function Panel({ current }: { current: CustomFieldsAnswer }) {
  const { mapId } = current
  const isReadOnly = !useMay('manager', mapId)
  const client = useQueryClient()
  const session = useSession()
  // The user who started: the session may end meanwhile.
  const [personId] = useState(session.status === 'authenticated' ? session.person.id : '')
  const unsaved = unsavedFields(mapId, personId)
  const [draft, setDraft] = useState(() => unsaved.get() ?? draftOf(current))
  const [isChecked, setIsChecked] = useState(false)
  const changes = changesOfDraft(draft)
  const hasChanges = changes.length > 0
  if (draft.base.version !== current.version)
    setDraft(hasChanges ? rebaseFields(draft, current) : draftOf(current))
  useEffect(() => unsaved.set(hasChanges ? draft : null), [unsaved, hasChanges, draft])
  const revert = () => {
    setIsChecked(false)
    saving.reset()
    setDraft(draftOf(current))
  }
  useUnsavedWork(hasChanges ? `Fields: ${changes.join(', ')}` : null, true, () => {
    unsaved.set(null)
    setDraft(draftOf(current))
  })
  const problems = problemsOfDraft(draft)
  const saving = useMutation({
    mutationFn: () => changeCustomFields(mapId, draft.base.version, fieldsOfDraft(draft)),
    onSuccess(saved) {
      client.setQueryData(customFieldsQuery(mapId).queryKey, saved)
      followChanges(client, [{ mapId, part: 'fields', id: null, version: null }])
      setDraft(draftOf(saved))
      setIsChecked(false)
      showSuccess('Fields saved')
    },
    onError(error) {
      if (isRefusedAsOld(error))
        void client.invalidateQueries({ queryKey: customFieldsQuery(mapId).queryKey })
    },
  })
  const wasOvertaken = hasChanges && (draft.conflicts.length > 0 || isRefusedAsOld(saving.error))
  function submit() {
    setIsChecked(true)
    if (hasChanges && problems.size === 0 && draft.conflicts.length === 0) saving.mutate()
  }
  const set = (kind: DefinedKind, fields: readonly DraftField[]) =>
    setDraft((before) => ({ ...before, fields: { ...before.fields, [kind]: fields } }))
  return (
    <CheckedForm className={classes.form} refusal={saving.error} onSubmit={submit}>
      <div className={classes.fields}>
        <header className={classes.header}>
          <div className={classes.headerActions}>{!isReadOnly && <CopyCustomFields source={current} />}</div>
        </header>
        <p className={classes.note}>
          {isReadOnly
            ? 'Only managers of this client can change its fields.'
            : 'Custom fields of this client’s records. Removing a field hides its values until you restore the field.'}
        </p>
        <fieldset className={classes.all} disabled={isReadOnly || saving.isPending}>
          {(Object.keys(definitions) as DefinedKind[]).map((kind) => (
            <KindFields
              key={kind}
              kind={kind}
              draft={draft}
              problems={isChecked ? problems : new Map()}
              onChange={(fields) => set(kind, fields)}
              onSettle={(side) => setDraft((before) => settleKind(before, kind, side))}
            />
          ))}
        </fieldset>
      </div>
      {!isReadOnly && (
        <FormFooter
          isIdle={!hasChanges}
          failure={saving.error && !wasOvertaken && `Could not save the fields. ${saving.error.message}`}
          status={
            <>
              {wasOvertaken && 'Someone else changed the fields. Your changes are still here. '}
              {hasChanges ? <b>Unsaved: {changes.join(', ')}</b> : 'No unsaved changes'}
              {isChecked && problems.size > 0 && ' · fix the errors to save'}
            </>
          }
        >
          <Button variant="default" disabled={!hasChanges} onClick={revert}>
            Revert
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={!hasChanges}>
            Save
          </Button>
        </FormFooter>
      )}
    </CheckedForm>
  )
}

const isRefusedAsOld = (error: Error | null) => error instanceof RequestError && error.status === 412

type KindFieldsProps = {
  kind: DefinedKind
  draft: CustomFieldsDraft
  problems: ReadonlyMap<string, string>
  onChange(fields: readonly DraftField[]): void
  onSettle(side: Side): void
}

function KindFields({ kind, draft, problems, onChange, onSettle }: KindFieldsProps) {
  const [openId, setOpenId] = useState<string | null>(null)
  const fields = draft.fields[kind]
  const { label, help }: Definition = definitions[kind]
  const { many, one } = label
  const all = [...draft.base.removed[kind], ...draft.base.fields[kind]]
  const removed = all.filter(({ key }) => !fields.some((own) => own.key === key))
  function add(own?: CustomField) {
    const id = newKey()
    const blank = {
      key: '',
      label: '',
      type: 'line',
      choices: [],
      isRequired: false,
      visibleTo: 'staff',
      help: null,
    } as const
    onChange([...fields, { ...(own ? toDraftField(own) : blank), id }])
    if (!own) setOpenId(id)
  }
  const move = (from: number, to: number) =>
    onChange(fields.toSpliced(from, 1).toSpliced(to, 0, fields[from] as DraftField))
  return (
    <section className={classes.group} aria-label={many}>
      <div className={classes.groupHeader}>
        <h2>{many}</h2>
        <SmallButton
          icon={IconPlus}
          iconSize={14}
          disabled={fields.length >= maxCustomFields}
          aria-label={`Add field to ${many.toLowerCase()}`}
          onClick={() => add()}
        >
          Add field
        </SmallButton>
      </div>
      {draft.conflicts.includes(kind) && (
        <ConflictField
          label={many}
          who="Someone else"
          theirs={draft.base.fields[kind].map(({ label }) => label).join(', ') || 'no fields'}
          onSettle={onSettle}
        />
      )}
      {(fields.length === 0 || help) && (
        <Text c="dimmed" size="sm">
          {help} {fields.length === 0 && 'No custom fields yet.'}
        </Text>
      )}
      {fields.map((own, index) => (
        <CustomFieldEditor
          key={own.id}
          own={own}
          noun={one.toLowerCase()}
          problems={problems}
          path={`${kind}.${index}`}
          isOpen={openId === own.id}
          onToggle={() => setOpenId(openId === own.id ? null : own.id)}
          onUp={index === 0 ? null : () => move(index, index - 1)}
          onDown={index === fields.length - 1 ? null : () => move(index, index + 1)}
          onChange={(changed) => onChange(fields.with(index, changed))}
          onRemove={() => onChange(fields.toSpliced(index, 1))}
        />
      ))}
      {removed.map((own) => (
        <div key={own.key} className={classes.groupHeader}>
          <Text c="dimmed" size="sm">
            {own.label} (removed)
          </Text>
          <Button variant="subtle" size="xs" aria-label={`Restore ${own.label}`} onClick={() => add(own)}>
            Restore
          </Button>
        </div>
      ))}
    </section>
  )
}

function CopyCustomFields({ source }: { source: CustomFieldsAnswer }) {
  const client = useQueryClient()
  async function copyTo({ id }: Client): Promise<string> {
    const current = await client.fetchQuery({ ...customFieldsQuery(id), staleTime: 0 })
    const answer = await changeCustomFields(id, current.version, joined(current.fields, source.fields))
    if (answer.version === current.version) return 'Already has these fields'
    client.setQueryData(customFieldsQuery(id).queryKey, answer)
    followChanges(client, [{ mapId: id, part: 'fields', id: null, version: null }])
    return 'Fields added'
  }
  return (
    <CopyToOthers
      what="fields"
      ownId={source.mapId}
      hasAny={Object.values(source.fields).some(({ length }) => length > 0)}
      copyTo={copyTo}
      outcome={{ section: 'fields' }}
    >
      <Text c="dimmed" size="sm">
        Adds the saved fields to the selected clients. Fields with the same key or name do not change. Values
        are not copied.
      </Text>
    </CopyToOthers>
  )
}

/** Their fields, followed by those of ours that they lack. */
function joined(theirs: CustomFields, ours: CustomFields): CustomFields {
  return mapKinds(theirs, (some, kind) => {
    const has = (key: string, label: string) =>
      some.some((own) => own.key === key || foldText(own.label) === foldText(label))
    return [...some, ...ours[kind].filter(({ key, label }) => !has(key, label))]
  })
}
