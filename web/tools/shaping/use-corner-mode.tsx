import { type ReactNode, useMemo, useRef, useState } from 'react'
import { type CornerKey, cornerKey, positionOfCorner } from '#domain/geometry/borders/corners.ts'
import { deleteCorner, insertCorner, moveCorner } from '#domain/geometry/borders/edit-corners.ts'
import {
  combineEdits,
  type Shape,
  type ShapeEdit,
  type ShapeGraph,
} from '#domain/geometry/borders/shape-graph.ts'
import { placeOf, removeHole, removePart, straightenAt } from '#domain/geometry/borders/shape-parts.ts'
import { type Snap, snapCorner } from '#domain/geometry/borders/snap-corner.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { distanceMeters } from '#domain/geometry/measure-path.ts'
import { scaleAt } from '#domain/geometry/scale.ts'
import { newFileId } from '#web/api/files.api.ts'
import { usePressWord } from '#web/ui/device.ts'
import { createStore, type Store } from '#web/ui/external-store.ts'
import { showError } from '#web/ui/toasts.tsx'
import type { ToolAction } from '#web/workspace/tool-actions.tsx'
import status from '#web/workspace/tool-status.module.css'
import { useCopiedValues } from './copied-values.ts'
import { type DragProblems, noDragProblems, useDragChecks } from './drag-checks.ts'
import type { Editing, ModeView } from './editing.ts'
import { useSnapReach } from './map-scale.ts'
import { HandlesLayer, ProblemsLayer, ShapesLayer } from './shape-edit-layers.tsx'
import { cornersAround, type Handle, handlesOf, shapeAt } from './shape-handles.ts'
import {
  areasWords,
  movedWords,
  nameOf,
  nameOfPiece,
  namesIn,
  namesOf,
  nounOf,
  shapesIn,
  snapWords,
} from './shape-words.ts'
import { type DragEvent, useHandleDrag } from './use-handle-drag.ts'

/** Meters per arrow key, without and with Shift. */
const [smallStep, largeStep] = [0.1, 1]

/** `start` contains `inserted`; if shapes are loaded meanwhile, the current graph is another one. */
type Dragged = { corner: CornerKey; inserted: ShapeEdit | null; start: ShapeGraph }
type Preview = { edit: ShapeEdit; snap: Snap | null; to: Position; meters: number }

const none: ReadonlySet<string> = new Set()
const noHandles: readonly Handle[] = []
const noShapes: readonly Shape[] = []

export function useCornerMode(editing: Editing, isOn: boolean): ModeView {
  const { draft, graph, active, view, changes, attempt, add, activate, selected, select } = editing
  const reachAt = useSnapReach()
  const [previews] = useState(() => createStore<Preview | null>(null))
  const [movingIds, setMovingIds] = useState(none)
  const dragged = useRef<Dragged | null>(null)
  const checks = useDragChecks(checkDrag)
  const handles = useMemo(
    () => (active && view ? handlesOf(graph, active, view) : noHandles),
    [graph, active, view],
  )
  // Undo may have removed it.
  const isSelected = selected !== null && graph.idsWith(selected).size > 0
  const isByFinger = usePressWord() === 'Tap'
  const valuesOf = useCopiedValues(editing)
  /** The corner that moves in the edited shape only. */
  const [detached, setDetached] = useState<CornerKey | null>(null)
  /** Where the arrow keys found the selected corner. */
  const [nudged, setNudged] = useState<{ corner: CornerKey; from: Position } | null>(null)
  const nudgedFrom = nudged !== null && nudged.corner === selected ? nudged.from : null
  const only = (isDetached: boolean) => (isDetached ? { only: draft.id } : {})

  function begin(handle: Handle) {
    select(handle.corner)
    const inserted = handle.corner === null ? insertCorner(graph, handle.position) : null
    const corner = handle.corner ?? cornerKey(handle.position)
    dragged.current = { corner, inserted, start: graph }
    setMovingIds(new Set(inserted ? inserted.keys() : graph.idsWith(corner)))
    if (inserted) graph.apply(inserted)
  }
  function end() {
    const { inserted, start } = dragged.current ?? {}
    if (inserted) start?.revert(inserted)
    dragged.current = null
    checks.end()
    previews.set(null)
    setMovingIds(none)
  }
  function previewOf({ position, isDetached, isFree }: DragEvent): Preview | null {
    const current = dragged.current
    const shape = graph.get(draft.id)
    if (!current || !shape) return null
    const { corner, inserted, start } = current
    const around = cornersAround(shape, corner)
    const snap = isFree ? null : snapCorner(graph, position, { reach: reachAt(position), corner, around })
    const to = snap?.to ?? position
    const moved = moveCorner(graph, corner, to, only(isDetached || corner === detached))
    const edit = inserted && graph === start ? combineEdits(inserted, moved) : moved
    return { edit, snap, to, meters: distanceMeters(positionOfCorner(corner), to) }
  }
  function checkDrag(): DragProblems {
    const { edit } = previews.get() ?? {}
    const { inserted, start } = dragged.current ?? {}
    if (!edit || start !== graph) return noDragProblems
    // The edit contains it.
    if (inserted) graph.revert(inserted)
    try {
      return editing.check(edit)
    } finally {
      if (inserted) graph.apply(inserted)
    }
  }
  function remove(corner: CornerKey, isDetached = false) {
    attempt(() => {
      add('Delete a corner', deleteCorner(graph, corner, only(isDetached)))
      select(null)
    })
  }
  function nudge([x, y]: readonly [number, number], { shiftKey, altKey }: KeyboardEvent) {
    if (selected === null) return
    attempt(() => {
      const [lng, lat] = positionOfCorner(selected)
      const meters = shiftKey ? largeStep : smallStep
      const [perLng, perLat] = scaleAt(lat)
      const to: Position = [lng + (x * meters) / perLng, lat + (y * meters) / perLat]
      add('Move a corner', moveCorner(graph, selected, to, only(altKey || selected === detached)))
      select(cornerKey(to))
      setNudged({ corner: cornerKey(to), from: nudgedFrom ?? [lng, lat] })
    })
  }
  function place(position: Position) {
    attempt(() => {
      if (selected === null || !active) return
      const around = cornersAround(active, selected)
      const snap = snapCorner(graph, position, { reach: reachAt(position), corner: selected, around })
      add('Move a corner', moveCorner(graph, selected, snap?.to ?? position, only(selected === detached)))
      select(null)
    })
  }
  function step(words: string, edit: () => ShapeEdit) {
    attempt(() => {
      add(words, edit())
      select(null)
    })
  }
  /** The part of the corner becomes a record of its own. */
  async function separate(corner: CornerKey) {
    try {
      const [values, id] = [await valuesOf(draft.id), newFileId()]
      attempt(() => {
        const { edit, part } = removePart(graph, draft.id, corner)
        const name = nameOfPiece(graph.shape(draft.id).name, namesIn(graph))
        const after = { id, name, geometry: part }
        const whole = new Map([...edit, [id, { before: null, after }] as const])
        add(`Make a part a ${nounOf(draft.kind)}`, whole, {
          added: { [id]: values },
          origins: [{ id, from: [draft.id] }],
        })
        select(null)
      })
    } catch (error) {
      showError('Could not divide it', error as Error)
    }
  }
  function actionsAt(corner: CornerKey): ToolAction[] {
    const place = active && placeOf(active.geometry, corner)
    const removePlace = (what: 'hole' | 'part'): ToolAction => ({
      label: `Remove ${what}`,
      run: () =>
        step(`Remove a ${what}`, () =>
          what === 'hole' ? removeHole(graph, draft.id, corner) : removePart(graph, draft.id, corner).edit,
        ),
    })
    return [
      ...(place ? [removePlace(place)] : []),
      ...(place === 'part'
        ? [{ label: `Make part a ${nounOf(draft.kind)}`, run: () => void separate(corner) }]
        : []),
      { label: 'Straighten', run: () => step('Straighten', () => straightenAt(graph, draft.id, corner)) },
      { label: 'Delete corner', run: () => remove(corner, corner === detached) },
      ...(graph.idsWith(corner).size > 1
        ? [
            corner === detached
              ? { label: 'Attach', run: () => setDetached(null) }
              : { label: 'Detach', run: () => setDetached(corner) },
          ]
        : []),
    ]
  }
  const isClickOnHandle = useHandleDrag({
    isOn: isOn && active !== undefined,
    handles: handles ?? [],
    onStart: (handle) => attempt(() => begin(handle)),
    onDrag: (event) =>
      attempt(() => {
        previews.set(previewOf(event))
        checks.onMove()
      }),
    onEnd(event) {
      attempt(() => {
        const last = event && previewOf(event)
        end()
        if (!last) return
        add('Move a corner', last.edit)
        select(null)
      })
      end()
    },
    onPress: ({ corner, position }) =>
      attempt(() => {
        if (corner !== null) return select(corner === selected ? null : corner)
        add('Insert a corner', insertCorner(graph, position))
        select(cornerKey(position))
      }),
    onRemove: ({ corner }) => corner !== null && remove(corner),
  })

  function readoutOf({ edit, snap, meters }: Preview): string {
    const snapped = snap && snapWords(snap.kind, snap.id === null ? undefined : graph.get(snap.id))
    return [movedWords(meters), areasWords(edit, draft.id, true), snapped].filter((part) => part).join('. ')
  }
  function idleWords(): { text: string; readout?: string } {
    const unsaved = changes.size > 0 ? `Not saved yet: ${namesOf(shapesIn(changes))}` : null
    if (handles === null)
      return { text: `${unsaved ? `${unsaved}. ` : ''}Too many corners in view. Zoom in to edit them.` }
    if (isSelected) {
      const shapes = [...graph.idsWith(selected as CornerKey)].flatMap((id) => graph.get(id) ?? [])
      return {
        text: `${isByFinger ? 'Drag the corner, or tap its new place.' : 'Drag the corner, or move it with the arrow keys.'} ${selected === detached ? `Only ${active ? nameOf(active) : 'this shape'} changes` : `It belongs to ${namesOf(shapes)}`}.`,
        readout: [
          ...(nudgedFrom ? [movedWords(distanceMeters(nudgedFrom, positionOfCorner(selected)))] : []),
          areasWords(changes, draft.id),
        ].join('. '),
      }
    }
    const name = active ? nameOf(active) : 'the shape'
    const text = unsaved ? `Editing ${name}. ${unsaved}` : `Drag a corner of ${name}, or a dot to add one.`
    return { text, readout: areasWords(changes, draft.id) }
  }
  const { text, readout } = idleWords()
  return {
    text:
      movingIds.size > 0 ? (
        <Live store={previews}>
          {(preview) => (preview ? `Moves a corner of ${namesOf(shapesIn(preview.edit))}` : text)}
        </Live>
      ) : (
        text
      ),
    readout: <Live store={previews}>{(preview) => (preview ? readoutOf(preview) : readout)}</Live>,
    hint: isByFinger ? null : 'Hold Alt to move only this shape, or Ctrl to turn off snapping.',
    passing: (
      <Live store={checks.found}>
        {({ words }) =>
          words.map((text) => (
            <p key={text} className={status.problem}>
              {text}
            </p>
          ))
        }
      </Live>
    ),
    movingIds,
    actions: isSelected ? actionsAt(selected as CornerKey) : [],
    layers: (
      <>
        <Live store={previews}>
          {(preview) => (
            <ShapesLayer
              id="shaping-moving"
              shapes={preview ? shapesIn(preview.edit) : noShapes}
              activeId={draft.id}
              corner={preview?.to}
            />
          )}
        </Live>
        <Live store={checks.found}>
          {({ areas }) => <ProblemsLayer id="shaping-drag-problems" areas={areas} />}
        </Live>
        <HandlesLayer id="shaping-handles" handles={(isOn && handles) || noHandles} selected={selected} />
      </>
    ),
    onClick(position) {
      // The map also reports the click that ended a drag.
      if (isClickOnHandle()) return
      // A finger hides the corner that it drags.
      if (isByFinger && isSelected) return place(position)
      select(null)
      const id = shapeAt(graph, position)
      if (id !== undefined) activate(id)
    },
    onKey(event) {
      const key = event.key.toLowerCase()
      const direction = arrows[key]
      if (key === 'escape' && dragged.current) end()
      else if (selected === null) return false
      else if (key === 'escape') select(null)
      else if (key === 'delete' || key === 'backspace') remove(selected, event.altKey)
      else if (direction) nudge(direction, event)
      else return false
      return true
    },
  }
}

/** Renders only this part again when the value changes, as in each frame of a drag. */
function Live<Value>({ store, children }: { store: Store<Value>; children(value: Value): ReactNode }) {
  return children(store.use())
}

const arrows: Record<string, readonly [x: number, y: number]> = {
  arrowleft: [-1, 0],
  arrowright: [1, 0],
  arrowup: [0, 1],
  arrowdown: [0, -1],
}
