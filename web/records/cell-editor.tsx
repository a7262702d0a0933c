import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { valueAt } from '#domain/definition/definition.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { ownFieldsQuery } from '#web/api/own-fields.api.ts'
import { showValue } from '#web/features/feature-facts.tsx'
import type { FieldInColumn } from '#web/features/table-columns.ts'
import type { CellEnd, EditedCell } from '#web/features/use-cell-edit.ts'
import { useUnsavedWork } from '#web/ui/unsaved-work.ts'
import classes from './cell-editor.module.css'
import { AskedField } from './changed-meanwhile.tsx'
import { asSaved, type Draft, newDraft, problemsOf, settle, valuesOf } from './record-draft.ts'
import { RecordField } from './record-field.tsx'
import type { CellPlace, UnsavedCells } from './unsaved-cells.ts'
import { useCellSaving, withText } from './use-cell-saving.ts'

type CellEditorProps = EditedCell & { mapId: string; cells: UnsavedCells }

/** One field of a record in its cell of the table: the control of the form, saved behind whoever goes on. */
export function CellEditor(props: CellEditorProps) {
  const found = props.column.fields.get(props.feature.kind)
  return found ? <OpenCell {...props} {...found} /> : null
}

function OpenCell({
  mapId,
  cells,
  feature,
  column,
  seed,
  path,
  field,
  onEnd,
}: CellEditorProps & FieldInColumn) {
  const place = { mapId, id: feature.id, column: column.id }
  const boxRef = useRef<HTMLDivElement>(null)
  const { draft, kept, error } = useDraftAt(place, cells)
  const { save, keepRefused } = useCellSaving(mapId, cells)
  /** Null until somebody has typed. */
  const [typed, setTyped] = useState(seed ?? kept?.text ?? null)
  const [textBefore] = useState(kept?.text)
  const [isChecked, setIsChecked] = useState(false)
  /** Saved or taken back: that the focus goes is no reason to save. */
  const isOver = useRef(false)
  const known = draft === null ? undefined : valuesOf(draft)[path]
  const text = typed ?? known ?? ''
  const said = draft && withText(draft, path, text)
  const isChanged = typed !== null && typed !== (textBefore ?? known)
  const isAsked = said?.asked.includes(path) === true
  const problem = problemOf()
  useUnsavedWork(isChanged ? `A cell of the table: ${field.label}` : null, false, () => end(null))

  // Before another key is pressed.
  const isKnown = draft !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens, and when its text is there
  useLayoutEffect(() => {
    const control = boxRef.current?.querySelector<HTMLInputElement>('input:checked, input, textarea, select')
    control?.focus()
    // What was typed goes on; what stays is chosen, so that typing replaces it.
    if (typed === null && control && 'select' in control) control.select()
    boxRef.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isKnown])

  const pressedElsewhere = useEffectEvent(({ target }: PointerEvent) => {
    const isHere = boxRef.current?.contains(target as Node)
    // Lists of controls stand elsewhere in the page.
    if (!isHere && !(target as Element).closest('[data-portal]')) leave()
  })
  useEffect(() => {
    document.addEventListener('pointerdown', pressedElsewhere, { capture: true })
    return () => document.removeEventListener('pointerdown', pressedElsewhere, { capture: true })
  }, [])

  function problemOf(): string | undefined {
    const own = said ? problemsOf(said).get(path) : undefined
    if (isChecked && own !== undefined) return own
    if (error) return error.message
    // What was wrong with another text says nothing of this one.
    return kept?.problem && text === textBefore && !isAsked ? kept.problem : undefined
  }
  function end(step: CellEnd) {
    isOver.current = true
    onEnd(step)
  }
  const typedCell = (changed: Draft | null) => ({
    feature,
    path,
    column: column.id,
    label: field.label,
    text: changed?.values[path] ?? text,
    draft: changed,
  })
  /** What is wrong, as far as it can be said here, keeps it open. */
  function goOn(step: CellEnd, changed = said) {
    if (isOver.current) return
    setIsChecked(true)
    if (changed && (problemsOf(changed).has(path) || changed.asked.length > 0)) return
    if (isChanged || kept?.state === 'refused') save(typedCell(changed))
    end(step)
  }
  /** Whoever is elsewhere already is not called back. */
  function leave() {
    if (isOver.current) return
    const why = (said && problemsOf(said).get(path)) ?? (isAsked ? kept?.problem : undefined)
    if (isChanged && why) keepRefused(typedCell(said), why)
    else if (isChanged) save(typedCell(said))
    end('away')
  }
  function takeBack() {
    if (kept?.state === 'refused') cells.drop([kept])
    end(null)
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const { key, shiftKey, target } = event
    const isListOpen = (target as Element).getAttribute('aria-expanded') === 'true'
    const isLong = target instanceof HTMLTextAreaElement
    // The table and the page have meanings of their own for keys.
    event.stopPropagation()
    if (event.nativeEvent.isComposing || target instanceof HTMLButtonElement) return
    if (key === 'Tab') goOn(shiftKey ? 'left' : 'right')
    else if (isListOpen) return
    else if (key === 'Enter' && !(isLong && shiftKey)) goOn(shiftKey ? 'up' : 'down')
    else if (key === 'Escape') takeBack()
    else if (isLineOfText(target) && key === 'ArrowDown') goOn('down')
    else if (isLineOfText(target) && key === 'ArrowUp') goOn('up')
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the control within
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same
    <div
      ref={boxRef}
      className={classes.editor}
      aria-busy={!isKnown && !error}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Another window may have the focus for a while.
        if (relatedTarget && !currentTarget.contains(relatedTarget)) leave()
      }}
    >
      <RecordField
        path={path}
        field={field}
        base={draft?.base ?? { mapId, referenceNames: {} }}
        text={text}
        mark={undefined}
        problem={problem}
        isInCell
        onChange={setTyped}
      />
      {problem !== undefined && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
      {said && isAsked && (
        <AskedField
          path={path}
          label={field.label}
          base={said.base}
          theirs={showValue(field, valueAt(said.base, path), {
            name: said.base.referenceNames[path] ?? null,
            onSelect: null,
          })}
          onSettle={(whose) => goOn(null, settle(said, path, whose))}
        />
      )}
    </div>
  )
}

/** Its arrows up and down mean nothing to itself. */
const isLineOfText = (target: EventTarget) =>
  target instanceof HTMLInputElement && target.type === 'text' && target.role !== 'combobox'

/** What a cell is edited from: the record as it is known, with what was typed there before. */
function useDraftAt(place: CellPlace, cells: UnsavedCells) {
  const { mapId, id } = place
  const { data: detail, error } = useQuery(featureDetailQuery(mapId, id))
  const ownFields = useQuery(ownFieldsQuery(mapId)).data?.fields
  const [opened, setOpened] = useState<Draft | null>(null)
  const kept = cells.of(place)
  const [wasKept] = useState(kept !== undefined)
  const present = detail && ownFields ? newDraft(detail, ownFields) : null
  if (opened === null && present !== null) setOpened(present)
  return { draft: draftOf(), kept, error }

  function draftOf(): Draft | null {
    // What is on its way is there before what is typed now.
    if (kept?.state === 'saving') return kept.draft && newDraft(asSaved(kept.draft), kept.draft.ownFields)
    if (kept) return kept.draft ?? present
    return wasKept ? present : (opened ?? present)
  }
}
