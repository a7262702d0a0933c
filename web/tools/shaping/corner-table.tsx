import { ActionIcon, SegmentedControl, TextInput, VisuallyHidden } from '@mantine/core'
import { IconPlus, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { callBetween, drawTraverse } from '#domain/deeds/traverse.ts'
import { cornerKey, pathsOf, roundPosition } from '#domain/geometry/borders/corners.ts'
import { deleteCorner, insertCorner, moveCorner } from '#domain/geometry/borders/edit-corners.ts'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { readersUnits } from '#web/ui/measures.ts'
import { CallField } from './call-field.tsx'
import type { Editing } from './editing.ts'
import { nameOf, namesOf } from './shape-words.ts'
import classes from './shaping.module.css'

const maxRows = 500

/** The corners of a shape as text, for the keyboard and screen readers. */
export function CornerTable({
  editing,
  shape,
  onClose,
}: {
  editing: Editing
  shape: Shape
  onClose(): void
}) {
  const { graph, attempt, add, selected, select } = editing
  const [form, setForm] = useState<'degrees' | 'calls'>('degrees')
  const paths = pathsOf(shape.geometry)
  const rows = paths.flatMap(({ corners, isRing }, path) =>
    corners.map((position, index) => ({
      position,
      label: paths.length > 1 ? `${path + 1}.${index + 1}` : `${index + 1}`,
      previous: corners[isRing ? (index - 1 + corners.length) % corners.length : index - 1],
      next: corners[isRing ? (index + 1) % corners.length : index + 1],
    })),
  )
  const sharing = (position: Position) =>
    [...graph.idsWith(cornerKey(position))].flatMap((id) => (id === shape.id ? [] : (graph.get(id) ?? [])))
  return (
    <section ref={focus} tabIndex={-1} className={classes.table} aria-label={`Corners of ${nameOf(shape)}`}>
      <header>
        <h2>Corners of {nameOf(shape)}</h2>
        <ActionIcon variant="subtle" color="gray" aria-label="Close corners" onClick={onClose}>
          <IconX size={16} />
        </ActionIcon>
      </header>
      <div className={classes.rows}>
        <SegmentedControl
          size="xs"
          fullWidth
          aria-label="Columns"
          value={form}
          data={[
            { value: 'degrees', label: 'Latitude, longitude' },
            { value: 'calls', label: 'Bearing, distance' },
          ]}
          onChange={(value) => setForm(value as typeof form)}
        />
        <table>
          <thead>
            <tr>
              <th scope="col">#</th>
              {form === 'degrees' ? (
                <>
                  <th scope="col">Latitude</th>
                  <th scope="col">Longitude</th>
                </>
              ) : (
                <th scope="col">From the corner before</th>
              )}
              <th scope="col">
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, maxRows).map(({ position, label, next, previous }) => {
              const others = sharing(position)
              const title = others.length > 0 ? `Shared with ${namesOf(others)}` : 'Not shared'
              return (
                <CornerRow
                  // The focus stays in the row while its corner moves.
                  key={label}
                  label={label}
                  title={title}
                  position={position}
                  isSelected={cornerKey(position) === selected}
                  onSelect={() => select(cornerKey(position))}
                  previous={form === 'calls' ? previous : null}
                  onMove={(to) =>
                    attempt(() => {
                      add('Move a corner', moveCorner(graph, cornerKey(position), to))
                      select(cornerKey(to))
                    })
                  }
                  onDelete={() =>
                    attempt(() => add('Delete a corner', deleteCorner(graph, cornerKey(position))))
                  }
                  onInsert={
                    next &&
                    (() =>
                      attempt(() =>
                        add(
                          'Insert a corner',
                          insertCorner(
                            graph,
                            roundPosition([(position[0] + next[0]) / 2, (position[1] + next[1]) / 2]),
                          ),
                        ),
                      ))
                  }
                />
              )
            })}
          </tbody>
        </table>
        {rows.length > maxRows && (
          <p>
            Only the first {formatNumber(maxRows)} of {formatNumber(rows.length)} corners.
          </p>
        )}
      </div>
    </section>
  )
}

const focus = (section: HTMLElement | null) => section?.focus()

const showRow = (row: HTMLElement | null) => row?.scrollIntoView({ block: 'nearest' })

type CornerRowProps = {
  label: string
  title: string
  position: Position
  /** The corner to measure from; null for degrees. */
  previous: Position | undefined | null
  isSelected: boolean
  onSelect(): void
  onMove(to: Position): void
  onDelete(): void
  onInsert: (() => void) | undefined
}

function CornerRow(row: CornerRowProps) {
  const { label, title, position, previous, isSelected, onSelect, onMove, onDelete, onInsert } = row
  const [lng, lat] = position
  return (
    <tr
      ref={isSelected ? showRow : null}
      title={title}
      data-selected={isSelected || undefined}
      onFocus={onSelect}
    >
      <th scope="row">{label}</th>
      {previous === null ? (
        <>
          <td>
            <Coordinate
              label={`Latitude of corner ${label}`}
              description={title}
              value={lat}
              max={90}
              onChange={(value) => onMove([lng, value])}
            />
          </td>
          <td>
            <Coordinate
              label={`Longitude of corner ${label}`}
              description={title}
              value={lng}
              max={180}
              onChange={(value) => onMove([value, lat])}
            />
          </td>
        </>
      ) : (
        <td>
          {previous && (
            <CallField
              label={`Bearing and distance to corner ${label}`}
              description={title}
              call={callBetween(previous, position, readersUnits() === 'metric' ? 'm' : 'ft')}
              onChange={(call) => {
                const to = drawTraverse([call], previous).corners.at(-1)
                if (to) onMove(to)
              }}
            />
          )}
        </td>
      )}
      <td>
        <ActionIcon.Group>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Insert a corner after corner ${label}`}
            disabled={!onInsert}
            onClick={onInsert}
          >
            <IconPlus size={16} />
          </ActionIcon>
          <ActionIcon variant="subtle" color="gray" aria-label={`Delete corner ${label}`} onClick={onDelete}>
            <IconTrash size={16} />
          </ActionIcon>
        </ActionIcon.Group>
      </td>
    </tr>
  )
}

type CoordinateProps = {
  label: string
  description: string
  value: number
  max: number
  onChange(value: number): void
}

/** Applied by Enter or on leaving the field; Escape reverts it. */
function Coordinate({ label, description, value, max, onChange }: CoordinateProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const number = Number(typed)
  const isValid = typed === null || (/^\s*[-+]?\d+(\.\d*)?\s*$/.test(typed) && Math.abs(number) <= max)
  function apply() {
    if (typed === null || !isValid) return
    setTyped(null)
    if (number !== value) onChange(number)
  }
  return (
    <TextInput
      size="xs"
      aria-label={label}
      title={description}
      inputMode="decimal"
      value={typed ?? value.toFixed(7)}
      error={!isValid}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
        if (event.key === 'Escape') {
          event.stopPropagation()
          setTyped(null)
        }
      }}
    />
  )
}
