import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { drawingsQuery } from '#web/api/drawings.api.ts'
import { ExportButton } from '#web/workspace/exporting/export-button.tsx'
import type { ToolProps } from '#web/workspace/tool.ts'
import type { ShapeStorage } from '../shapes/shape-storage.ts'
import { DrawingForm } from './drawing-form.tsx'
import { DrawingNotices } from './drawing-notices.tsx'
import { authorLine, nameOf } from './drawing-shapes.ts'
import classes from './drawings-panel.module.css'
import type { MapStorage } from './map-storage.ts'

type DrawingsPanelProps = {
  mapId: string
  storage: MapStorage
  tab: ShapeStorage
  isDrawing: boolean
  selected: string | null
  onSelect(id: string | null): void
  onAdd: ToolProps['onAdd']
}

export function DrawingsPanel(props: DrawingsPanelProps) {
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
