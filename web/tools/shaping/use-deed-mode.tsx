import { useState } from 'react'
import type { Call } from '#domain/deeds/call.ts'
import { type Deed, readDeed } from '#domain/deeds/read-deed.ts'
import { callToStart, drawTraverse, type Traverse } from '#domain/deeds/traverse.ts'
import { cornerKey } from '#domain/geometry/borders/corners.ts'
import { splitShape } from '#domain/geometry/borders/divide-shapes.ts'
import { type Shape, ShapeRefusal } from '#domain/geometry/borders/shape-graph.ts'
import { snapCorner } from '#domain/geometry/borders/snap-corner.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { cornerTolerance } from '#domain/land-check/land-problem.ts'
import { newFileId } from '#web/api/files.api.ts'
import { usePressWord } from '#web/ui/device.ts'
import { type DeedInput, DeedPanel } from './deed-panel.tsx'
import type { Editing, ModeView } from './editing.ts'
import { useSnapReach } from './map-scale.ts'
import { PathLayer } from './shape-edit-layers.tsx'
import { nameOf, nounOf } from './shape-words.ts'

const noDeed: DeedInput = { text: '', calls: null, rotationDegrees: 0 }

/** Draws the calls of a deed from a corner. */
export function useDeedMode(
  editing: Editing,
  isOn: boolean,
  { onDone, onSplit }: { onDone(): void; onSplit(shape: Shape, path: readonly Position[]): void },
): ModeView {
  const { draft, graph, active, attempt, add, activate } = editing
  const noun = nounOf(draft.kind)
  const press = usePressWord()
  const reachAt = useSnapReach()
  const [input, setInput] = useState(noDeed)
  const [start, setStart] = useState<Position | null>(null)
  const deed = readDeed(input.text)
  const calls = input.calls ?? sidesOf(deed)
  const traverse =
    start && calls.length > 0 ? closed(drawTraverse(calls, start, input.rotationDegrees)) : null

  const marked = [
    ...(start ? [start] : []),
    ...(traverse?.ends.map((end) => traverse.corners[end] as Position) ?? []),
  ]

  function leave() {
    setInput(noDeed)
    setStart(null)
    onDone()
  }
  function withArea(use: (geometry: Geometry) => void) {
    attempt(() => {
      if (!traverse) return
      const ring = closedRing(traverse.corners)
      if (ring.length < 4) throw new ShapeRefusal(`A ${noun} needs at least 3 corners.`)
      use({ type: 'Polygon', coordinates: [ring] })
      leave()
    })
  }
  const addLot = () =>
    withArea((geometry) => {
      const id = newFileId()
      add(
        `New ${noun} from a deed`,
        new Map([[id, { before: null, after: { id, name: `New ${noun}`, geometry } }]]),
        {
          added: { [id]: {} },
          origins: [],
        },
      )
      activate(id)
    })
  const replace = () =>
    withArea((geometry) => {
      if (!active) return
      add(
        `Shape of ${nameOf(active)} from a deed`,
        new Map([[active.id, { before: active, after: { ...active, geometry } }]]),
      )
    })
  function split() {
    if (!active || !traverse) return
    attempt(() => {
      // Refuses before the values of the record are loaded.
      splitShape(graph, active.id, traverse.corners)
      onSplit(active, traverse.corners)
      leave()
    })
  }
  return {
    text:
      start === null ? `${press} the corner where the deed begins.` : 'The deed begins at the marked corner.',
    actions: [{ label: 'Back', run: leave }],
    layers: isOn && (
      <>
        <PathLayer path={traverse?.corners ?? []} marked={marked} />
        <DeedPanel
          input={input}
          deed={deed}
          hasStart={start !== null}
          calls={calls}
          traverse={traverse}
          noun={noun}
          canReplace={active !== undefined}
          onInput={setInput}
          onAdd={addLot}
          onReplace={replace}
          onSplit={split}
          onClose={leave}
        />
      </>
    ),
    onClick(position) {
      const snap = snapCorner(graph, position, { reach: reachAt(position), corner: null, around: [] })
      setStart(snap?.to ?? position)
    },
    onKey({ key }) {
      if (key !== 'Escape') return false
      leave()
      return true
    },
  }
}

function sidesOf({ calls, isClosedByLine }: Deed): Call[] {
  const sides = calls.flatMap(({ call, isTie }) => (isTie ? [] : [call]))
  return isClosedByLine && sides.length > 1 ? [...sides, callToStart(sides)] : sides
}

/** A small closing error would make two corners of the first. */
export function closed(traverse: Traverse): Traverse {
  const { corners, closure } = traverse
  const [start] = corners
  return start && corners.length > 3 && closure.errorMeters < cornerTolerance
    ? { ...traverse, corners: corners.with(-1, start) }
    : traverse
}

/** The end is dropped if it is the start again. */
function closedRing(corners: readonly Position[]): Position[] {
  const distinct = corners.filter((corner, index) => {
    const next = corners[index + 1] ?? corners[0]
    return !next || cornerKey(corner) !== cornerKey(next)
  })
  return [...distinct, ...distinct.slice(0, 1)]
}
