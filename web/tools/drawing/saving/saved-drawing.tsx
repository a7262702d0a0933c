import { Button, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { isEqual } from '#domain/values/is-equal.ts'
import { counted, plural } from '#domain/values/wording.ts'
import { drawingsQuery } from '#web/api/drawings.api.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { MineOrTheirs } from '#web/ui/unsaved/mine-or-theirs.tsx'
import { ExportButton } from '#web/workspace/exporting/export-button.tsx'
import type { ToolProps } from '#web/workspace/tool.ts'
import { DashedShapes } from '../shapes/dashed-shapes.tsx'
import { DrawingKit, type DrawingKitProps } from '../shapes/drawing-kit.tsx'
import type { ShapeStorage } from '../shapes/shape-storage.ts'
import { DrawingForm } from './drawing-form.tsx'
import { authorLine, shapeName, toShape } from './drawing-shapes.ts'
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
        <div className={classes.card} data-empty={(shapes.length === 0 && !isSaving) || undefined}>
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={isOpen}
            disabled={shapes.length === 0}
            onClick={() => setIsOpen(!isOpen)}
          >
            {shapes.length === 0 ? 'No drawings yet' : counted(shapes.length, 'drawing')}
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
                    <b>{shapeName(shape)}</b>
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
          <p>Could not load drawings. {loading.message}</p>
          <Button size="compact-sm" onClick={onReload}>
            Try again
          </Button>
        </div>
      )}
      <Failed storage={storage} unsaved={unsaved} />
      {overtaken.map(({ id, wanted, base, theirs }) => {
        const shape = wanted ?? (base && toShape(base))
        const who = theirs?.updatedBy ?? 'someone else'
        return (
          <div key={id} className={classes.notice} role="alert">
            <MineOrTheirs
              className={classes.actions}
              labels={wanted === null ? { mine: 'Delete anyway', theirs: 'Keep theirs' } : {}}
              onSettle={(side) => storage.resolveConflict(id, side)}
            >
              <b>{shape ? shapeName(shape) : 'A drawing'}</b> was {theirs ? 'changed' : 'deleted'} by {who}{' '}
              while you were {wanted === null ? 'deleting' : 'editing'} it.{' '}
              {theirs ? differences(theirs, wanted) : 'Your version is still on this map.'}
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
  return `Their version has ${name} and ${note}${isMoved ? '. Its shape is dashed' : ''}.`
}

function Failed({ storage, unsaved }: Pick<DrawingNoticesProps, 'storage' | 'unsaved'>) {
  const messages = unsaved.flatMap(({ saveError }) =>
    saveError?.kind === 'failed' ? [saveError.message] : [],
  )
  if (messages.length === 0) return null
  return (
    <div className={classes.notice} role="alert">
      <p>
        {counted(messages.length, 'change')} not saved yet. {messages[0]} Your work stays in this tab.
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
        You drew {counted(shapes.length, 'shape')} before you signed in.{' '}
        {plural(shapes.length, 'It is', 'They are')} only stored in this tab.
      </p>
      <div className={classes.actions}>
        <Button
          size="compact-sm"
          onClick={() => {
            storage.create(shapes)
            tab.clear()
          }}
        >
          Save to map
        </Button>
        <SmallButton size="compact-sm" onClick={() => setIsPutOff(true)}>
          Not now
        </SmallButton>
      </div>
    </div>
  )
}
