import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { valueAt } from '#domain/definition/definition.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { RequestError } from '#web/api/http.ts'
import { useOwnFields } from '#web/api/own-fields.api.ts'
import { showValue } from '#web/features/feature-facts.tsx'
import type { CellStep, EditedCell } from '#web/features/feature-table.tsx'
import type { FieldInColumn } from '#web/features/table-columns.ts'
import { useUnsavedWork } from '#web/ui/unsaved-work.ts'
import classes from './cell-editor.module.css'
import { AskedField } from './changed-meanwhile.tsx'
import { changesOf, type Draft, newDraft, problemsOf, settle, valuesOf } from './record-draft.ts'
import { RecordField } from './record-field.tsx'
import { useRecordChanges } from './use-record-changes.ts'

/** One field of a record in its cell of the table: the control of the form, saved as the form saves. */
export function CellEditor({ mapId, ...cell }: EditedCell & { mapId: string }) {
  const { data: feature, error } = useQuery(featureDetailQuery(mapId, cell.feature.id))
  const [typed, setTyped] = useState(cell.seed)
  const found = feature && cell.column.fields.get(feature.kind)
  if (feature && found) return <OpenCell {...cell} detail={feature} {...found} typed={typed} />
  // What is typed meanwhile goes on from there.
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: whoever edits a cell types into it at once
      autoFocus
      className={classes.waiting}
      aria-label={cell.column.label}
      aria-busy={!feature && !error}
      value={error || feature ? 'Cannot be edited here' : (typed ?? '')}
      readOnly={typed === null || error !== null || feature !== undefined}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') cell.onEnd(null)
      }}
    />
  )
}

type OpenCellProps = EditedCell & FieldInColumn & { detail: FeatureDetail; typed: string | null }

function OpenCell({ detail, path, field, typed, onEnd }: OpenCellProps) {
  const boxRef = useRef<HTMLDivElement>(null)
  const ownFields = useOwnFields(detail.mapId)
  const [draft, setDraft] = useState<Draft>(() => withText(newDraft(detail, ownFields), path, typed))
  const [isChecked, setIsChecked] = useState(false)
  const next = useRef<CellStep | null>(null)
  /** Saved or taken back: that the focus goes is no reason to save. */
  const isOver = useRef(false)
  // The form of the record keeps its own changes: this is one field, and gone when it is saved.
  const { saving } = useRecordChanges(detail.mapId, keepingIn(setDraft), {
    onSaved: () => end(next.current),
  })
  const text = draft.values[path] ?? ''
  const isChanged = changesOf(draft).length > 0
  const problem = problemOf()
  const isAsked = draft.asked.includes(path)
  useUnsavedWork(isChanged ? `A cell of the table: ${field.label}` : null, false, () => end(null))

  // Before another key is pressed.
  useLayoutEffect(() => {
    const control = boxRef.current?.querySelector<HTMLInputElement>('input:checked, input, textarea, select')
    control?.focus()
    // What was typed goes on; what stays is chosen, so that typing replaces it.
    if (typed === null && control && 'select' in control) control.select()
    boxRef.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [typed])

  function end(step: CellStep | null) {
    isOver.current = true
    onEnd(step)
  }
  function problemOf(): string | undefined {
    if (isChecked && problemsOf(draft).has(path)) return problemsOf(draft).get(path)
    const { error } = saving
    if (!error) return undefined
    const refused = error instanceof RequestError ? error.fields : []
    return (refused.find(({ name }) => name === path) ?? refused[0])?.message ?? error.message
  }
  function save(step: CellStep | null, changed = draft) {
    if (saving.isPending || isOver.current) return
    next.current = step
    setIsChecked(true)
    if (changesOf(changed).length === 0) end(step)
    else if (!problemsOf(changed).has(path) && changed.asked.length === 0)
      saving.mutate({ draft: changed, isPutBack: false })
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const { key, shiftKey, target } = event
    const isListOpen = (target as Element).getAttribute('aria-expanded') === 'true'
    const isLineBreak = target instanceof HTMLTextAreaElement && shiftKey
    // The table and the page have meanings of their own for keys.
    event.stopPropagation()
    if (event.nativeEvent.isComposing || target instanceof HTMLButtonElement) return
    if (key === 'Tab') save(shiftKey ? 'left' : 'right')
    else if (isListOpen) return
    else if (key === 'Enter' && !isLineBreak) save('down')
    else if (key === 'Escape') end(null)
    else return
    event.preventDefault()
  }
  function settled(whose: 'mine' | 'theirs') {
    const chosen = settle(draft, path, whose)
    setDraft(chosen)
    save(next.current, chosen)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the control within
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same
    <div
      ref={boxRef}
      className={classes.editor}
      aria-busy={saving.isPending}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Another window may have the focus for a while.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) save(null)
      }}
    >
      <RecordField
        path={path}
        field={field}
        base={draft.base}
        text={text}
        mark={undefined}
        problem={problem}
        isInCell
        onChange={(changed) => setDraft((present) => withText(present, path, changed))}
      />
      {problem !== undefined && (
        <p className={classes.problem} role="alert">
          {problem.charAt(0).toUpperCase() + problem.slice(1)}
        </p>
      )}
      {isAsked && (
        <AskedField
          path={path}
          label={field.label}
          base={draft.base}
          theirs={showValue(field, valueAt(draft.base, path), {
            name: draft.base.referenceNames[path] ?? null,
            onSelect: null,
          })}
          onSettle={settled}
        />
      )}
    </div>
  )
}

function withText(draft: Draft, path: string, text: string | null): Draft {
  const known = text ?? valuesOf(draft)[path] ?? ''
  return { ...draft, values: { ...draft.values, [path]: known } }
}

/** Where a save puts a draft that somebody has to be asked about; one that is saved is let go with its cell. */
const keepingIn = (keep: (draft: Draft) => void) => ({ keep, forget: () => {} })
