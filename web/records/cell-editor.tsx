import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { valueAt } from '#domain/definition/definition.ts'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import type { FieldInColumn } from '#domain/features/table-columns.ts'
import { customFieldsQuery } from '#web/api/custom-fields.api.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { showValue } from '#web/features/feature-facts.tsx'
import type { CellEnd, EditedCell } from '#web/features/use-cell-edit.ts'
import { ConflictField } from '#web/ui/unsaved/mine-or-theirs.tsx'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import classes from './cell-editor.module.css'
import { WhoAndWhen } from './changed-meanwhile.tsx'
import { asSaved, type Draft, newDraft, problemsOf, settle, valuesOf } from './record-draft.ts'
import { RecordField } from './record-field.tsx'
import type { CellPlace, UnsavedCells } from './unsaved-cells.ts'
import { useCellSaving, withText } from './use-cell-saving.ts'

type CellEditorProps = EditedCell & { mapId: string; cells: UnsavedCells }

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
  const { draft, unsaved, error } = useDraftAt(place, cells)
  const { save, addRefused } = useCellSaving(mapId, cells)
  const [typed, setTyped] = useState(seed ?? unsaved?.text ?? null)
  const [textBefore] = useState(unsaved?.text)
  const [isChecked, setIsChecked] = useState(false)
  const isOver = useRef(false)
  const saved = draft === null ? undefined : valuesOf(draft)[path]
  const text = typed ?? saved ?? ''
  const edited = draft && withText(draft, path, text)
  const isChanged = typed !== null && typed !== (textBefore ?? saved)
  const isConflict = edited?.conflicts.includes(path) === true
  const problem = problemOf()
  useUnsavedWork(isChanged ? `The cell ‘${field.label}’` : null, false, () => end(null))

  // A layout effect: the next key goes to the control.
  const isLoaded = draft !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens, and when its text is there
  useLayoutEffect(() => {
    const control = boxRef.current?.querySelector<HTMLInputElement>('input:checked, input, textarea, select')
    control?.focus()
    // Typing replaces a selected value, but continues typed text.
    if (typed === null && control && 'select' in control) control.select()
    boxRef.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isLoaded])

  const pressedElsewhere = useEffectEvent(({ target }: PointerEvent) => {
    const isHere = boxRef.current?.contains(target as Node)
    // Lists of controls are in portals.
    if (!isHere && !(target as Element).closest('[data-portal]')) leave()
  })
  useEffect(() => {
    document.addEventListener('pointerdown', pressedElsewhere, { capture: true })
    return () => document.removeEventListener('pointerdown', pressedElsewhere, { capture: true })
  }, [])

  function problemOf(): string | undefined {
    const own = edited ? problemsOf(edited).get(path) : undefined
    if (isChecked && own !== undefined) return own
    if (error) return error.message
    return unsaved?.problem && text === textBefore && !isConflict ? unsaved.problem : undefined
  }
  function end(step: CellEnd) {
    isOver.current = true
    onEnd(step)
  }
  const typedCell = (changed: Draft<FeatureDetail> | null) => ({
    feature,
    path,
    column: column.id,
    label: field.label,
    text: changed?.values[path] ?? text,
    draft: changed,
  })
  function finish(step: CellEnd, changed = edited) {
    if (isOver.current) return
    setIsChecked(true)
    if (changed && (problemsOf(changed).has(path) || changed.conflicts.length > 0)) return
    if (isChanged || unsaved?.state === 'refused') save(typedCell(changed))
    end(step)
  }
  /** The focus is elsewhere already. */
  function leave() {
    if (isOver.current) return
    const why = (edited && problemsOf(edited).get(path)) ?? (isConflict ? unsaved?.problem : undefined)
    if (isChanged && why) addRefused(typedCell(edited), why)
    else if (isChanged) save(typedCell(edited))
    end('away')
  }
  function cancel() {
    if (unsaved?.state === 'refused') cells.drop([unsaved])
    end(null)
  }
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const { key, shiftKey, target } = event
    const isListOpen = (target as Element).getAttribute('aria-expanded') === 'true'
    const isLong = target instanceof HTMLTextAreaElement
    event.stopPropagation()
    if (event.nativeEvent.isComposing || target instanceof HTMLButtonElement) return
    if (key === 'Tab') finish(shiftKey ? 'left' : 'right')
    else if (isListOpen) return
    else if (key === 'Enter' && !(isLong && shiftKey)) finish(shiftKey ? 'up' : 'down')
    else if (key === 'Escape') cancel()
    else if (isLineOfText(target) && key === 'ArrowDown') finish('down')
    else if (isLineOfText(target) && key === 'ArrowUp') finish('up')
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the control within
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same
    <div
      ref={boxRef}
      className={classes.editor}
      aria-busy={!isLoaded && !error}
      onKeyDown={onKeyDown}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={({ currentTarget, relatedTarget }) => {
        // Not if the whole window loses the focus.
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
      {edited && isConflict && (
        <ConflictField
          label={field.label}
          who={<WhoAndWhen base={edited.base} path={path} />}
          theirs={showValue(field, valueAt(edited.base, path), {
            name: edited.base.referenceNames[path] ?? null,
            onSelect: null,
          })}
          onSettle={(whose) => finish(null, settle(edited, path, whose))}
        />
      )}
    </div>
  )
}

/** The arrow keys up and down do nothing in it. */
const isLineOfText = (target: EventTarget) =>
  target instanceof HTMLInputElement && target.type === 'text' && target.role !== 'combobox'

function useDraftAt(place: CellPlace, cells: UnsavedCells) {
  const { mapId, id } = place
  const { data: detail, error } = useQuery(featureDetailQuery(mapId, id))
  const customFields = useQuery(customFieldsQuery(mapId)).data?.fields
  const [opened, setOpened] = useState<Draft<FeatureDetail> | null>(null)
  const unsaved = cells.find(place)
  const [wasUnsaved] = useState(unsaved !== undefined)
  const current = detail && customFields ? newDraft(detail, customFields) : null
  if (opened === null && current !== null) setOpened(current)
  return { draft: draftOf(), unsaved, error }

  function draftOf(): Draft<FeatureDetail> | null {
    // Input that is saving will be saved before this.
    if (unsaved?.state === 'saving')
      return unsaved.draft && newDraft(asSaved(unsaved.draft), unsaved.draft.customFields)
    if (unsaved) return unsaved.draft ?? current
    return wasUnsaved ? current : (opened ?? current)
  }
}
