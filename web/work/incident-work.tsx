import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconProgressCheck } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { type WorkState, workStateLabels, workStates } from '#domain/incidents/work-states.ts'
import { reportersInWords } from '#domain/reports/report-states.ts'
import type { IncidentNote, NoteChange } from '#domain/work/work.schema.ts'
import { maxNote } from '#domain/work/work-views.ts'
import { followChanges } from '#web/api/changes.ts'
import { featureDetailQuery, undoChange } from '#web/api/features.api.ts'
import { newKey } from '#web/api/http.ts'
import { useSession } from '#web/api/use-session.ts'
import { changeNote, notesQuery, removeNote, takeWorkStep } from '#web/api/work.api.ts'
import { InsertResponse } from '#web/features/insert-response.tsx'
import { DateInput } from '#web/ui/date-input.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { Form, FormFooter } from '#web/ui/form-frame.tsx'
import { exactTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import classes from './incident-work.module.css'
import { MergedDuplicates, MergeIncident } from './merge-incident.tsx'
import { NoteField, NoteList } from './note.tsx'
import { WorkLinks } from './work-links.tsx'

export type Incident = Extract<FeatureDetail, { kind: 'incident' }>

type IncidentWorkProps = { incident: Incident; editorId: string | null; onSelect(id: string): void }

/** Notes on an incident for everyone who may see them; for editors also its progress. */
export function IncidentWork({ incident, editorId, onSelect }: IncidentWorkProps) {
  const { mapId, id } = incident
  const notes = useQuery(notesQuery(mapId, id))
  const [isOpen, setIsOpen] = useState(false)
  const failure = loadFailure(notes, 'Could not load notes.')
  if (failure) return failure
  const { items = [], reporters = 0, merged = [] } = notes.data ?? {}
  const people = reportersInWords(reporters)
  if (editorId === null && items.length === 0 && people.length === 0) return null
  return (
    <section className={classes.section} aria-label="Work">
      <div className={classes.head}>
        <h3>{editorId === null ? 'News' : 'Work'}</h3>
        {editorId !== null && !isOpen && (
          <SmallButton icon={IconProgressCheck} iconSize={14} onClick={() => setIsOpen(true)}>
            Update
          </SmallButton>
        )}
      </div>
      {people.map((words) => (
        <p key={words}>{words}</p>
      ))}
      {isOpen && <StepForm incident={incident} onClose={() => setIsOpen(false)} />}
      <NoteList label="Notes" notes={items}>
        {(note) => editorId !== null && <NoteControls incident={incident} note={note} />}
      </NoteList>
      {editorId !== null && (
        <div className={classes.controls}>
          <WorkLinks mapId={mapId} id={id} title={incident.title} />
          <MergeIncident incident={incident} onSelect={onSelect} />
        </div>
      )}
      {editorId !== null && merged.length > 0 && <MergedDuplicates incident={incident} merged={merged} />}
    </section>
  )
}

function StepForm({ incident, onClose }: { incident: Incident; onClose(): void }) {
  const { mapId, id, title } = incident
  const client = useQueryClient()
  const session = useSession()
  const listId = useId()
  const [state, setState] = useState<WorkState | ''>(incident.workState ?? '')
  const [assignee, setAssignee] = useState(incident.assignee ?? '')
  const [due, setDue] = useState(incident.due ?? '')
  const [publicNote, setPublicNote] = useState('')
  const [internalNote, setInternalNote] = useState('')
  const publicNoteRef = useRef<HTMLTextAreaElement>(null)
  const stepId = useState(newKey)[0]
  const change = {
    ...(state === '' || state === incident.workState ? {} : { state }),
    ...(assignee.trim() === (incident.assignee ?? '') ? {} : { assignee: assignee.trim() || null }),
    ...(due === (incident.due ?? '') ? {} : { due: due || null }),
  }
  const notes = {
    ...(publicNote.trim() === '' ? {} : { publicNote }),
    ...(internalNote.trim() === '' ? {} : { internalNote }),
  }
  const follow = (version: number) =>
    followChanges(client, [
      { mapId, part: 'status', id, version },
      { mapId, part: 'notes', id, version: null },
    ])
  const undo = useMutation({
    async mutationFn() {
      if (Object.keys(change).length > 0) await undoChange(mapId, stepId)
      if ('publicNote' in notes) await removeNote(mapId, id, `${stepId}-public`)
      if ('internalNote' in notes) await removeNote(mapId, id, `${stepId}-internal`)
    },
    onSuccess() {
      showSuccess(`‘${title}’: undone`)
      void client.invalidateQueries({ queryKey: featureDetailQuery(mapId, id).queryKey })
      follow(incident.version + 2)
    },
    onError: (error) => showError(`Could not undo the update of ‘${title}’`, error),
  })
  const save = useMutation({
    mutationFn: () => takeWorkStep(incident, { id: stepId, ...change, ...notes }),
    onSuccess(detail) {
      const { version } = detail
      client.setQueryData(featureDetailQuery(mapId, id).queryKey, detail)
      follow(version)
      onClose()
      showSuccess(`‘${title}’ updated`, {
        dependsOn: { mapId, of: 'feature', id, version },
        undo: () => undo.mutate(),
      })
    },
  })
  const isEmpty = Object.keys({ ...change, ...notes }).length === 0
  return (
    <Form className={classes.form} aria-label="Update work" onSubmit={() => save.mutate()}>
      <NativeSelect
        label="Progress"
        value={state}
        onChange={(event) => setState(event.currentTarget.value as WorkState | '')}
        data={[
          ...(incident.workState === null ? [{ value: '', label: 'Not tracked' }] : []),
          ...Object.entries(workStateLabels).map(([value, label]) => ({ value, label })),
        ]}
      />
      <TextInput
        label="Assigned to (staff only)"
        description="A person, a role such as ‘Board’, or a contractor"
        list={listId}
        autoComplete="off"
        maxLength={200}
        value={assignee}
        onChange={(event) => setAssignee(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {session.status === 'authenticated' && <option value={session.person.name} />}
        <option value="Board" />
      </datalist>
      <DateInput label="Due (staff only)" type="date" value={due} onChange={setDue} />
      <NoteField
        ref={publicNoteRef}
        label="Note for everyone"
        description="Reporters with an email address get it as well"
        minRows={2}
        value={publicNote}
        onChange={setPublicNote}
      />
      <InsertResponse
        mapId={mapId}
        states={state === '' ? workStates : [state]}
        type={incident.type}
        text={publicNote}
        maxLength={maxNote}
        fieldRef={publicNoteRef}
        onInsert={setPublicNote}
      />
      <NoteField
        label="Internal note (staff only)"
        minRows={1}
        value={internalNote}
        onChange={setInternalNote}
      />
      <FormFooter failure={save.error?.message}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending} disabled={isEmpty}>
          Save
        </Button>
      </FormFooter>
    </Form>
  )
}

function NoteControls({ incident, note }: { incident: Incident; note: IncidentNote }) {
  const { mapId, id } = incident
  const client = useQueryClient()
  const [text, setText] = useState<string | null>(null)
  const follow = () => followChanges(client, [{ mapId, part: 'notes', id, version: null }])
  const change = useMutation({
    mutationFn: (changed: NoteChange) => changeNote(mapId, id, note.id, changed),
    onSuccess(_, changed) {
      follow()
      setText(null)
      if (changed.isPublic === undefined) showSuccess('Note changed')
      else showSuccess(changed.isPublic ? 'Note is public' : 'Note is for staff only')
    },
    onError: (error) => showError('Could not change the note', error),
  })
  if (text !== null)
    return (
      <Form
        className={classes.form}
        aria-label="Edit note"
        onSubmit={() => change.mutate({ text: text.trim() })}
      >
        <NoteField label="Text that others see" minRows={2} value={text} onChange={setText} />
        <FormFooter failure={change.error?.message}>
          <Button variant="default" onClick={() => setText(null)}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending} disabled={text.trim() === ''}>
            Save
          </Button>
        </FormFooter>
      </Form>
    )
  const subject = `note of ${exactTime(note.at)}`
  return (
    <div className={classes.controls}>
      <SmallButton subject={subject} onClick={() => setText(note.text)}>
        Edit
      </SmallButton>
      <SmallButton subject={subject} onClick={() => change.mutate({ isPublic: !note.isPublic })}>
        {note.isPublic ? 'Hide from public' : 'Make public'}
      </SmallButton>
      {note.isWaiting && (
        <SmallButton subject={subject} onClick={() => change.mutate({ isPublic: false })}>
          Staff only
        </SmallButton>
      )}
    </div>
  )
}
