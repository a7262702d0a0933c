import { useMap } from '@vis.gl/react-maplibre'
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
import { useEditorId } from '#web/api/use-session.ts'
import { usePressWord } from '#web/ui/device.ts'
import type { Store } from '#web/ui/external-store.ts'
import { defineTabStore } from '#web/ui/unsaved/tab-store.ts'
import { type DeedInput, DeedPanel, type DeedProposal } from './deed-panel.tsx'
import type { Editing, ModeView } from './editing.ts'
import { useSnapReach } from './map-scale.ts'
import { PathLayer } from './shape-edit-layers.tsx'
import { nameOf, nounOf } from './shape-words.ts'
import { bringIntoView } from './use-shape-in-view.ts'

const noDeed: DeedInput = { text: '', calls: null, isClosed: null, rotationDegrees: 0, start: null }

/** Of one user on one map. Stays until it is used, also after its panel is closed. */
const deedInputs = defineTabStore<DeedInput, Store<DeedInput>>({
  name: 'deed',
  empty: noDeed,
  read: (stored) => ({ ...noDeed, ...(stored as Partial<DeedInput>) }),
  open: (store) => store,
})

/** Draws the calls of a deed from a corner. */
export function useDeedMode(
  editing: Editing,
  isOn: boolean,
  { onDone, onSplit }: { onDone(): void; onSplit(shape: Shape, path: readonly Position[]): void },
): ModeView {
  const { mapId, draft, graph, active, attempt, add, activate } = editing
  const noun = nounOf(draft.kind)
  const press = usePressWord()
  const reachAt = useSnapReach()
  const map = useMap().current?.getMap()
  const store = deedInputs(useEditorId(mapId) ?? '', mapId)
  const input = store.use()
  const { start } = input
  const [proposal, propose] = useState<DeedProposal | null>(null)
  const deed = readDeed(input.text)
  const calls = input.calls ?? sidesOf(deed)
  const closing = (input.isClosed ?? deed.isClosedByLine) && calls.length > 1 ? callToStart(calls) : null
  const draw = (some: readonly Call[]) =>
    start && some.length > 0 ? closed(drawTraverse(some, start, input.rotationDegrees)) : null
  const traverse = draw(closing ? [...calls, closing] : calls)
  const proposed = proposal && draw(proposal.calls)
  const shown = proposed ?? traverse

  /** The deed before the proposal, or from its end to its beginning. */
  const dashed = proposed
    ? (traverse?.corners ?? [])
    : [traverse?.corners.at(-1), traverse?.corners[0]].filter((corner) => corner !== undefined)
  const marked = [
    ...(start ? [start] : []),
    ...(shown?.ends.map((end) => shown.corners[end] as Position) ?? []),
  ]

  function leave() {
    propose(null)
    onDone()
  }
  function finish() {
    store.set(noDeed)
    leave()
  }
  function withArea(use: (geometry: Geometry) => void) {
    attempt(() => {
      if (!traverse) return
      const ring = closedRing(traverse.corners)
      if (ring.length < 4) throw new ShapeRefusal(`A ${noun} needs at least 3 corners.`)
      use({ type: 'Polygon', coordinates: [ring] })
      finish()
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
      finish()
    })
  }
  return {
    text:
      start === null ? `${press} the corner where the deed begins.` : 'The deed begins at the marked corner.',
    actions: [{ label: 'Back', run: leave }],
    layers: isOn && (
      <>
        <PathLayer path={shown?.corners ?? []} marked={marked} dashed={dashed} />
        <DeedPanel
          input={input}
          deed={deed}
          calls={calls}
          closing={closing}
          traverse={traverse}
          proposal={proposal}
          proposed={proposed}
          noun={noun}
          canReplace={active !== undefined}
          onInput={store.set}
          onPropose={propose}
          onAdd={addLot}
          onReplace={replace}
          onSplit={split}
          onClose={leave}
        />
      </>
    ),
    onClick(position) {
      const snap = snapCorner(graph, position, { reach: reachAt(position), corner: null, around: [] })
      const chosen = snap?.to ?? position
      store.set({ ...input, start: chosen })
      const { corners } = drawTraverse(calls, chosen, input.rotationDegrees)
      if (map && corners.length > 1)
        bringIntoView(
          map,
          { type: 'MultiPoint', coordinates: corners },
          { areTooMany: false, minPixels: 150 },
        )
    },
    onKey({ key }) {
      if (key !== 'Escape') return false
      leave()
      return true
    },
  }
}

const sidesOf = ({ calls }: Deed): Call[] => calls.flatMap(({ call, isTie }) => (isTie ? [] : [call]))

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
