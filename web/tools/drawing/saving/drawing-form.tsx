import { Button, CloseButton, Group, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { withArticle } from '#domain/definition/definition.ts'
import { type FeatureKind, featureKinds } from '#domain/definition/kinds.ts'
import { maxNameLength, maxNoteLength } from '#domain/drawings/drawing.schema.ts'
import { definitions } from '#domain/features/definitions.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { shapeOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { useUnsavedWork } from '#web/ui/unsaved/unsaved-work.ts'
import type { ToolProps } from '#web/workspace/tool.ts'
import type { DrawnShape } from '../shapes/drawn-shape.ts'
import { authorLine, contentOf, shapeName } from './drawing-shapes.ts'
import classes from './drawings-panel.module.css'
import type { MapStorage } from './map-storage.ts'

type DrawingFormProps = {
  shape: DrawnShape | undefined
  storage: MapStorage
  onAdd: ToolProps['onAdd']
  onClose(): void
}
type Draft = { before: DrawnShape; name: string; note: string }

/** Unedited fields show changes of other users. */
export function DrawingForm({ shape, storage, onAdd, onClose }: DrawingFormProps) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const isDecided = useRef(false)
  const nameRef = useRef<HTMLInputElement>(null)
  useEffect(() => void nameRef.current?.focus(), [])
  const shown = draft?.before ?? shape
  const isGone = shown === undefined
  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])
  // Opening something else saves the form.
  const leave = useEffectEvent(() => {
    if (!isDecided.current) keep()
  })
  useEffect(() => {
    const leavePage = () => leave()
    window.addEventListener('pagehide', leavePage)
    return () => {
      window.removeEventListener('pagehide', leavePage)
      leave()
    }
  }, [])
  useUnsavedWork(draft && `Name and note of ‘${shapeName(draft.before)}’`, true, () => setDraft(null))
  if (!shown) return null

  const { name, note } = draft ?? contentOf(shown)
  function type(typed: Partial<Draft>) {
    if (shown) setDraft({ before: shown, name, note, ...typed })
  }
  function keep() {
    if (!draft) return
    const { before, name, note } = draft
    const after = { ...before, properties: { ...before.properties, name: name.trim(), note: note.trim() } }
    storage.edit([{ before, after }])
  }
  function close() {
    isDecided.current = true
    onClose()
  }
  function save(event: FormEvent) {
    event.preventDefault()
    keep()
    close()
  }
  function closeByKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    // Otherwise the map clears its selection.
    event.stopPropagation()
    close()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: Escape closes it from each of its fields
    <form className={classes.card} aria-label="Drawing" onSubmit={save} onKeyDown={closeByKey}>
      <header className={classes.header}>
        <h2>{shapeName(shown)}</h2>
        <CloseButton aria-label="Close drawing" onClick={close} />
      </header>
      <p className={classes.people}>{authorLine(shown)}</p>
      <TextInput
        ref={nameRef}
        label="Name"
        size="sm"
        maxLength={maxNameLength}
        value={name}
        onChange={({ currentTarget: { value } }) => type({ name: value })}
      />
      <Textarea
        label="Note"
        size="sm"
        rows={3}
        maxLength={maxNoteLength}
        value={note}
        onChange={({ currentTarget: { value } }) => type({ note: value })}
      />
      <Group justify="flex-end" gap="xs" mt="sm">
        <SmallButton onClick={close}>Cancel</SmallButton>
        <Button type="submit" size="xs" disabled={draft === null}>
          Save
        </Button>
      </Group>
      {onAdd && (
        <footer className={classes.making}>
          {kindsOf(shown).map((kind) => (
            <SmallButton
              key={kind}
              size="compact-sm"
              onClick={() => {
                keep()
                close()
                onAdd({
                  kind,
                  geometry: shown.geometry as Geometry,
                  name: name.trim(),
                  description: note.trim(),
                })
              }}
            >
              Make this {withArticle(definitions[kind].label.one)}
            </SmallButton>
          ))}
        </footer>
      )}
    </form>
  )
}

function kindsOf({ geometry }: DrawnShape): FeatureKind[] {
  const shape = shapeOfGeometry(geometry as Geometry)
  const rankOf = (kind: FeatureKind) => definitions[kind].shapes.findIndex((one) => one === shape)
  return featureKinds
    .filter((kind) => rankOf(kind) >= 0)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
}
