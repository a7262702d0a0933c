import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { splitShape } from '#domain/geometry/borders/divide-shapes.ts'
import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import { snapCorner } from '#domain/geometry/borders/snap-corner.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { featureDetailQuery } from '#web/api/features.api.ts'
import { usePressWord } from '#web/ui/device.ts'
import { copiedValues } from './copied-values.ts'
import type { Editing, ModeView } from './editing.ts'
import { useSnapReach } from './map-scale.ts'
import { CutLine } from './shape-edit-layers.tsx'
import { nameOf } from './shape-words.ts'
import { type Cut, SplitByArea } from './split-by-area.tsx'

export function useSplitMode(editing: Editing, isOn: boolean, onDone: () => void): ModeView {
  const { mapId, draft, graph, active, attempt, add } = editing
  const client = useQueryClient()
  const press = usePressWord()
  const reachAt = useSnapReach()
  const [path, setPath] = useState<readonly Position[]>([])
  const [isByArea, setIsByArea] = useState(false)

  function leave() {
    setPath([])
    onDone()
  }
  /** Splits what is left of the shape by one line after the other. */
  async function split(lines: readonly Cut[]) {
    if (!active) return
    const values = await valuesOf(active.id)
    attempt(() => {
      let count = 1
      const added: Record<string, Record<string, unknown>> = {}
      const whole = new Map<string, { before: Shape | null; after: Shape | null }>()
      const cut = (line: Cut) => {
        const { edit, pieces } = splitShape(graph, active.id, line(graph.shape(active.id)))
        const news = pieces.map((geometry): Shape => {
          count++
          return { id: crypto.randomUUID(), name: `${active.name} (${count})`, geometry }
        })
        for (const { id } of news) added[id] = values
        const step = new Map([...edit, ...news.map((after) => [after.id, { before: null, after }] as const)])
        graph.apply(step)
        for (const [id, { before, after }] of step) {
          const first = whole.get(id)
          whole.set(id, { before: first ? first.before : before, after })
        }
      }
      try {
        lines.forEach(cut)
      } finally {
        graph.revert(whole)
      }
      add(`Split ${nameOf(active)}`, whole, added)
      leave()
    })
  }
  async function valuesOf(id: string): Promise<Record<string, unknown>> {
    const own = draft.added[id]
    return own ?? copiedValues(await client.ensureQueryData(featureDetailQuery(mapId, id)))
  }
  function place(position: Position) {
    const snap = snapCorner(graph, position, { reach: reachAt(position), corner: null, around: [] })
    setPath([...path, snap?.to ?? position])
  }
  const finish = () => void split([() => path])
  return {
    text:
      path.length === 0
        ? `${press} on one border of ${active ? nameOf(active) : 'the shape'}, then on another.`
        : 'Add more points, or split along the line.',
    actions: [
      { label: 'By area…', run: () => setIsByArea(true) },
      { label: 'Split', isPrimary: true, isDisabled: path.length < 2, run: finish },
      { label: 'Back', run: leave },
    ],
    layers: isOn && (
      <>
        <CutLine path={path} />
        {active && (
          <SplitByArea
            isOpen={isByArea}
            shape={active}
            onClose={() => setIsByArea(false)}
            onSplit={(lines) => {
              setIsByArea(false)
              void split(lines)
            }}
          />
        )}
      </>
    ),
    onClick: place,
    onKey({ key }) {
      if (key === 'Enter' && path.length > 1) finish()
      else if (key === 'Backspace' && path.length > 0) setPath(path.slice(0, -1))
      else if (key === 'Escape') leave()
      else return false
      return true
    },
  }
}
