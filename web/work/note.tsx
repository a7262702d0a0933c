import { Textarea, type TextareaProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { workStateLabels } from '#domain/incidents/work-states.ts'
import type { IncidentNote } from '#domain/work/work.schema.ts'
import { maxNote, noteSourceLabels } from '#domain/work/work-views.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import classes from './note.module.css'

export function Note({ note, children }: { note: IncidentNote; children?: ReactNode }) {
  const { at, author, source, text, originalText, state, isPublic, isWaiting } = note
  return (
    <article className={classes.note} data-internal={!isPublic || undefined}>
      <p className={classes.meta}>
        <b>{author ?? noteSourceLabels[source]}</b> ·{' '}
        <time dateTime={at} title={exactTime(at)}>
          {relativeTime(at)}
        </time>
        {state !== null && ` · ${workStateLabels[state]}`}
        {isWaiting ? ' · waits for review' : !isPublic && ' · staff only'}
      </p>
      <p className={classes.text}>{text}</p>
      {originalText !== null && <p className={classes.meta}>Originally: {originalText}</p>}
      {children}
    </article>
  )
}

type NoteListProps = {
  label: string
  notes: readonly IncidentNote[]
  children?(note: IncidentNote): ReactNode
}

export const NoteList = ({ label, notes, children }: NoteListProps) =>
  notes.length > 0 && (
    <ol className={classes.list} aria-label={label}>
      {notes.map((note) => (
        <li key={note.id}>
          <Note note={note}>{children?.(note)}</Note>
        </li>
      ))}
    </ol>
  )

type NoteFieldProps = Omit<TextareaProps, 'onChange'> & { value: string; onChange(value: string): void }

export const NoteField = ({ onChange, ...props }: NoteFieldProps) => (
  <Textarea
    autosize
    maxLength={maxNote}
    {...props}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
)
