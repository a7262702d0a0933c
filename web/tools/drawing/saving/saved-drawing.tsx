import { Button, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { isEqual } from '#domain/values/is-equal.ts'
import { drawingsQuery } from '#web/api/drawings.api.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { MineOrTheirs } from '#web/ui/unsaved/mine-or-theirs.tsx'
import { ExportButton } from '#web/workspace/exporting/export-button.tsx'
import type { ToolProps } from '#web/workspace/tool.ts'
import { DashedShapes } from '../shapes/dashed-shapes.tsx'
import { DrawingKit, type DrawingKitProps } from '../shapes/drawing-kit.tsx'
import type { ShapeStorage } from '../shapes/shape-storage.ts'
import { DrawingForm } from './drawing-form.tsx'
import { authorLine, nameOf, toShape } from './drawing-shapes.ts'
import classes from './drawings-panel.module.css'
import { type MapStorage, mapStorage } from './map-storage.ts'
import type { Change } from './send-changes.ts'

type SavedDrawingProps = {
  mapId: string
  personId: string
  tab: ShapeStorage
  tools: DrawingKitProps['tools']
  onAdd: ToolProps['onAdd']
}

export function SavedDrawing({ mapId, personId, tab, tools, onAdd }: SavedDrawingProps) {
  const queryClient = useQueryClient()
  const [storage] = useState(() => mapStorage(queryClient, mapId, personId))
  const [isActive, setIsActive] = useState(false)
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <>
      <DrawingKit
        tools={tools}
        storage={storage}
        onActiveChange={(active) => {
          setIsActive(active)
          if (active) setSelected(null)
        }}
        onPick={setSelected}
      />
      <DrawingsPanel
        mapId={mapId}
        storage={storage}
        tab={tab}
        isDrawing={isActive}
        selected={selected}
        onSelect={setSelected}
        onAdd={onAdd}
      />
    </>
  )
}

type DrawingsPanelProps = {
  mapId: string
  storage: MapStorage
  tab: ShapeStorage
  isDrawing: boolean
  selected: string | null
  onSelect(id: string | null): void
  onAdd: ToolProps['onAdd']
}

function DrawingsPanel(props: DrawingsPanelProps) {
  const { mapId, storage, tab, isDrawing, selected, onSelect, onAdd } = props
  const shapes = useSyncExternalStore(storage.listen, storage.read)
  const unsaved = useSyncExternalStore(storage.listen, storage.unsaved)
  const saved = useQuery(drawingsQuery(mapId))
  const [isOpen, setIsOpen] = useState(false)
  const toggleRef = useRef<HTMLButtonElement>(null)
  const wasSelected = useRef(selected)
  // The focused form disappears.
  useEffect(() => {
    if (wasSelected.current !== null && selected === null && document.activeElement === document.body)
      toggleRef.current?.focus()
    wasSelected.current = selected
  }, [selected])
  const isSaving = unsaved.some(({ saveError }) => saveError === null)
  return (
    <section className={classes.panel} aria-label="Drawings" data-drawing={isDrawing || undefined}>
      <DrawingNotices
        storage={storage}
        unsaved={unsaved}
        tab={tab}
        loading={saved.data ? null : saved.error}
        onReload={() => void saved.refetch()}
      />
      {selected !== null && (
        <DrawingForm
          key={selected}
          shape={shapes.find(({ id }) => id === selected)}
          storage={storage}
          onAdd={onAdd}
          onClose={() => onSelect(null)}
        />
      )}
      {!isDrawing && selected === null && saved.data && (
        <div className={classes.card}>
          <UnstyledButton
            ref={toggleRef}
            className={classes.toggle}
            aria-expanded={isOpen}
            disabled={shapes.length === 0}
            onClick={() => setIsOpen(!isOpen)}
          >
            {shapes.length === 0
              ? 'Nothing drawn yet'
              : `${shapes.length.toLocaleString()} ${shapes.length === 1 ? 'drawing' : 'drawings'}`}
            {shapes.length > 0 && <IconChevronDown size={14} aria-hidden="true" />}
          </UnstyledButton>
          <span className={classes.state} role="status">
            {isSaving ? 'Saving…' : ''}
          </span>
          {saved.data.length > 0 && (
            <ExportButton
              mapId={mapId}
              of="drawings"
              count={saved.data.length}
              variant="subtle"
              size="compact-sm"
            />
          )}
          {isOpen && shapes.length > 0 && (
            <ul className={classes.list}>
              {shapes.map((shape) => (
                <li key={shape.id}>
                  <UnstyledButton className={classes.item} onClick={() => onSelect(shape.id)}>
                    <b>{nameOf(shape)}</b>
                    <span>{authorLine(shape)}</span>
                  </UnstyledButton>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  )
}

type DrawingNoticesProps = {
  storage: MapStorage
  unsaved: readonly Change[]
  tab: ShapeStorage
  loading: Error | null
  onReload(): void
}

function DrawingNotices({ storage, unsaved, tab, loading, onReload }: DrawingNoticesProps) {
  const overtaken = unsaved.flatMap(({ saveError, ...change }) =>
    saveError?.kind === 'overtaken' ? [{ ...change, theirs: saveError.theirs }] : [],
  )
  return (
    <>
      <DashedShapes
        id="other-shapes"
        shapes={overtaken.flatMap(({ theirs }) => (theirs ? [toShape(theirs)] : []))}
      />
      {loading && (
        <div className={classes.notice} role="alert">
          <p>The drawings of this map could not be loaded. {loading.message}</p>
          <Button size="compact-sm" onClick={onReload}>
            Try again
          </Button>
        </div>
      )}
      <Failed storage={storage} unsaved={unsaved} />
      {overtaken.map(({ id, wanted, base, theirs }) => {
        const shape = wanted ?? (base && toShape(base))
        const who = theirs?.updatedBy ?? 'Somebody else'
        return (
          <div key={id} className={classes.notice} role="alert">
            <MineOrTheirs
              className={classes.actions}
              labels={wanted === null ? { mine: 'Delete it anyway', theirs: 'Leave it' } : {}}
              onSettle={(side) => storage.resolveConflict(id, side)}
            >
              <b>{shape ? nameOf(shape) : 'A drawing'}</b>
              {wanted === null ? ', which you delete, ' : ' '}
              was {theirs ? 'changed' : 'deleted'} meanwhile. {theirs && `${who} was quicker. `}
              {theirs ? differences(theirs, wanted) : 'Yours is still on the map here.'}
            </MineOrTheirs>
          </div>
        )
      })}
      <TabOffer storage={storage} tab={tab} />
    </>
  )
}

function differences(
  theirs: NonNullable<Extract<Change['saveError'], { kind: 'overtaken' }>['theirs']>,
  mine: Change['wanted'],
) {
  const name = theirs.name === '' ? 'no name' : `the name ‘${theirs.name}’`
  const note = theirs.note === '' ? 'no note' : `the note ‘${theirs.note}’`
  const isMoved = mine !== null && !isEqual(mine.geometry.coordinates, theirs.geometry.coordinates)
  return `Theirs has ${name} and ${note}${isMoved ? '; its shape is the dashed one' : ''}.`
}

function Failed({ storage, unsaved }: Pick<DrawingNoticesProps, 'storage' | 'unsaved'>) {
  const messages = unsaved.flatMap(({ saveError }) =>
    saveError?.kind === 'failed' ? [saveError.message] : [],
  )
  if (messages.length === 0) return null
  return (
    <div className={classes.notice} role="alert">
      <p>
        {messages.length === 1 ? '1 change is' : `${messages.length.toLocaleString()} changes are`} not saved
        yet. {messages[0]} Nothing is lost: it stays in this tab.
      </p>
      <Button size="compact-sm" onClick={storage.retry}>
        Try again
      </Button>
    </div>
  )
}

function TabOffer({ storage, tab }: Pick<DrawingNoticesProps, 'storage' | 'tab'>) {
  const shapes = useSyncExternalStore(tab.listen, tab.read)
  const [isPutOff, setIsPutOff] = useState(false)
  if (shapes.length === 0 || isPutOff) return null
  return (
    <div className={classes.notice} role="status">
      <p>
        {shapes.length === 1 ? '1 shape' : `${shapes.length.toLocaleString()} shapes`} drawn before you signed
        in {shapes.length === 1 ? 'is' : 'are'} kept in this tab alone.
      </p>
      <div className={classes.actions}>
        <Button
          size="compact-sm"
          onClick={() => {
            storage.create(shapes)
            tab.clear()
          }}
        >
          Save to the map
        </Button>
        <SmallButton size="compact-sm" onClick={() => setIsPutOff(true)}>
          Not now
        </SmallButton>
      </div>
    </div>
  )
}
