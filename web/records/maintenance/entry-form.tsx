import { Button } from '@mantine/core'
import { useState } from 'react'
import type { MaintenanceEntry } from '#domain/maintenance/maintenance.schema.ts'
import { capitalized } from '#domain/values/wording.ts'
import { newKey, RequestError } from '#web/api/http.ts'
import { ChosenFiles } from '#web/records/chosen-files.tsx'
import { RecordField } from '#web/records/record-field.tsx'
import { CheckedForm } from '#web/ui/checked-form.tsx'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import { MineOrTheirs } from '#web/ui/unsaved/mine-or-theirs.tsx'
import {
  draftOfEntry,
  type EntryDraft,
  entryFieldNames,
  entryFields,
  fieldOfError,
  readEntry,
} from './entry-draft.ts'
import classes from './entry-form.module.css'
import { entryText } from './entry-text.ts'

type EntryFormProps = {
  mapId: string
  draft: EntryDraft
  saving: { mutate(draft: EntryDraft): void; isPending: boolean; error: Error | null }
  onChange(draft: EntryDraft): void
  onCancel(): void
}

export function EntryForm({ mapId, draft, saving, onChange, onCancel }: EntryFormProps) {
  const [isChecked, setIsChecked] = useState(false)
  const { problems } = readEntry(draft)
  const refused = saving.error instanceof RequestError ? saving.error.fields : []
  const status = saving.error instanceof RequestError ? saving.error.status : null
  const theirs =
    status === 412 && saving.error instanceof RequestError ? (saving.error.current as MaintenanceEntry) : null
  const isGone = status === 404 && draft.base !== null

  function problemOf(name: (typeof entryFieldNames)[number]): string | undefined {
    if (isChecked && problems.has(name)) return problems.get(name)
    const message = refused.find((field) => fieldOfError(field.name) === name)?.message
    return message && capitalized(message)
  }
  function save(changed: EntryDraft = draft) {
    if (saving.isPending) return
    setIsChecked(true)
    if (problems.size === 0) saving.mutate(changed)
  }
  function resend(changed: EntryDraft) {
    onChange(changed)
    save(changed)
  }

  const failure =
    saving.error &&
    !saving.isPending &&
    refused.length === 0 &&
    (theirs ? (
      <MineOrTheirs
        onSettle={(side) =>
          side === 'mine'
            ? resend({ ...draft, base: theirs })
            : onChange({ ...draftOfEntry(theirs), files: draft.files })
        }
      >
        Someone else changed this entry to: <b>{entryText(theirs)}</b>
      </MineOrTheirs>
    ) : isGone ? (
      <>
        <p>Someone else removed this entry.</p>
        <SmallButton size="compact-sm" onClick={() => resend({ ...draft, id: newKey(), base: null })}>
          Add it again
        </SmallButton>
      </>
    ) : (
      <p>Not saved: {saving.error.message}</p>
    ))

  return (
    <CheckedForm
      className={classes.form}
      aria-label="Maintenance entry"
      refusal={saving.error}
      onSubmit={save}
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
        // Otherwise the browser saves the page.
        event.preventDefault()
        event.currentTarget.requestSubmit()
      }}
    >
      <div className={classes.fields}>
        {entryFieldNames.map((name) => (
          <div key={name} data-wide={name === 'text' || undefined}>
            <RecordField
              path={name}
              field={entryFields[name]}
              base={{ mapId, referenceNames: {} }}
              text={draft.texts[name]}
              mark={undefined}
              problem={problemOf(name)}
              onChange={(text) => onChange({ ...draft, texts: { ...draft.texts, [name]: text } })}
            />
          </div>
        ))}
      </div>
      <ChosenFiles
        label="Photos and files for this entry"
        files={draft.files}
        onChange={(files) => onChange({ ...draft, files })}
      />
      <FormFooter failure={failure}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.isPending} aria-keyshortcuts="Control+S Meta+S">
          {draft.base === null ? 'Add' : 'Save'}
        </Button>
      </FormFooter>
    </CheckedForm>
  )
}
