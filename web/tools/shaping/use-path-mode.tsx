import { useState } from 'react'
import { cutHole, reshapeBorder } from '#domain/geometry/borders/reshape-shapes.ts'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import { addPart } from '#domain/geometry/borders/shape-parts.ts'
import { snapCorner } from '#domain/geometry/borders/snap-corner.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { usePressWord } from '#web/ui/device.ts'
import { showError } from '#web/ui/toasts.tsx'
import { useCopiedValues } from './copied-values.ts'
import { type Cut, cutShape } from './cut-shape.ts'
import type { Editing, ModeView } from './editing.ts'
import { useSnapReach } from './map-scale.ts'
import { PathLayer } from './shape-edit-layers.tsx'
import { nameOf } from './shape-words.ts'
import { SplitByArea } from './split-by-area.tsx'

export type PathTask = 'split' | 'reshape' | 'hole' | 'part'

type Task = { first: string; next: string; finish: string; least: number; isClosed: boolean }

const tasks: Record<PathTask, Task> = {
  split: {
    first: 'on one border, then on another, to draw the dividing line.',
    next: 'Add more points, or split along the line.',
    finish: 'Split',
    least: 2,
    isClosed: false,
  },
  reshape: {
    first: 'on the border where its new course begins.',
    next: 'Add the points of the new course. End on the border.',
    finish: 'Reshape',
    least: 2,
    isClosed: false,
  },
  hole: {
    first: 'the corners of the hole.',
    next: 'Add more corners, or cut the hole.',
    finish: 'Cut hole',
    least: 3,
    isClosed: true,
  },
  part: {
    first: 'the corners of the new part.',
    next: 'Add more corners, or add the part.',
    finish: 'Add part',
    least: 3,
    isClosed: true,
  },
}

/** Operations along a line that the user draws. */
export function usePathMode(
  editing: Editing,
  task: PathTask | null,
  onDone: () => void,
): ModeView & { split(shape: Shape, path: readonly Position[]): void } {
  const { graph, active, attempt, add } = editing
  const valuesOf = useCopiedValues(editing)
  const press = usePressWord()
  const reachAt = useSnapReach()
  const [path, setPath] = useState<readonly Position[]>([])
  const [isByArea, setIsByArea] = useState(false)
  const { first, next, finish: finishLabel, least, isClosed } = tasks[task ?? 'split']

  function leave() {
    setPath([])
    onDone()
  }
  async function split(shape: Shape, cuts: readonly Cut[]) {
    const { id } = shape
    try {
      const values = await valuesOf(id)
      attempt(() => {
        const { edit, added } = cutShape(graph, shape, cuts)
        const origins = added.map((piece) => ({ id: piece.id, from: [id] }))
        const news = Object.fromEntries(added.map((piece) => [piece.id, values]))
        add(`Split ${nameOf(shape)}`, edit, { added: news, origins })
        leave()
      })
    } catch (error) {
      showError('Could not split it', error as Error)
    }
  }
  function place(position: Position) {
    const snap = snapCorner(graph, position, { reach: reachAt(position), corner: null, around: [] })
    setPath([...path, snap?.to ?? position])
  }
  function finish() {
    if (!active || path.length < least) return
    if (task === 'split') return void split(active, [() => path])
    attempt(() => {
      if (task === 'hole') add('Cut a hole', cutHole(graph, active.id, path))
      else if (task === 'part') add('Add a part', addPart(graph, active.id, path))
      else add('Reshape a border', reshapeBorder(graph, active.id, path))
      leave()
    })
  }
  return {
    split: (shape, along) => void split(shape, [() => along]),
    text: path.length === 0 ? `${press} ${first}` : next,
    actions: [
      ...(task === 'split' ? [{ label: 'By area or distance…', run: () => setIsByArea(true) }] : []),
      { label: finishLabel, isPrimary: true, isDisabled: path.length < least, run: finish },
      { label: 'Back', run: leave },
    ],
    layers: task !== null && (
      <>
        <PathLayer path={isClosed && path.length > 2 ? [...path, path[0] as Position] : path} />
        {active && (
          <SplitByArea
            isOpen={isByArea}
            shape={active}
            onClose={() => setIsByArea(false)}
            graph={graph}
            onSplit={(cuts) => {
              setIsByArea(false)
              void split(active, cuts)
            }}
          />
        )}
      </>
    ),
    onClick: place,
    onKey({ key }) {
      if (key === 'Enter' && path.length >= least) finish()
      else if (key === 'Backspace' && path.length > 0) setPath(path.slice(0, -1))
      else if (key === 'Escape') leave()
      else return false
      return true
    },
  }
}
