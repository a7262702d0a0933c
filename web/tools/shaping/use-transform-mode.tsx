import { useRef, useState } from 'react'
import type { ShapeEdit } from '#domain/geometry/borders/shape-graph.ts'
import { middleOf, type Transform, transformShape } from '#domain/geometry/borders/shape-parts.ts'
import type { Position } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { scaleAt } from '#domain/geometry/scale.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { formatDistance, readersUnits } from '#web/ui/measures.ts'
import type { Editing, ModeView } from './editing.ts'
import { HandlesLayer, ShapesLayer } from './shape-edit-layers.tsx'
import type { Handle } from './shape-handles.ts'
import { nameOf, shapesIn } from './shape-words.ts'
import { TransformFields } from './transform-fields.tsx'
import { useHandleDrag } from './use-handle-drag.ts'

/** Meters and degrees per key, without and with Shift. */
const [smallStep, largeStep] = [0.1, 1]

const none: Transform = { east: 0, north: 0, clockwise: 0 }

/** Moves and rotates the whole shape: by its middle, and by a handle north of it. */
export function useTransformMode(editing: Editing, isOn: boolean, onDone: () => void): ModeView {
  const { draft, graph, active, attempt, add } = editing
  const [preview, setPreview] = useState<{ edit: ShapeEdit; transform: Transform } | null>(null)
  const held = useRef<Handle['role'] | null>(null)
  const handles = active ? handlesAround(active) : []
  const name = active ? nameOf(active) : 'the shape'

  function transformOf([lng, lat]: Position): Transform {
    const [from] = handles
    if (!from || !active) return none
    const [middleLng, middleLat] = from.position
    const [perLng, perLat] = scaleAt(middleLat)
    const [east, north] = [(lng - middleLng) * perLng, (lat - middleLat) * perLat]
    return held.current === 'own'
      ? { east, north, clockwise: 0 }
      : { ...none, clockwise: (Math.atan2(east, north) * 180) / Math.PI }
  }
  const apply = (transform: Transform) =>
    attempt(() => add(labelOf(transform, name), transformShape(graph, draft.id, transform)))
  useHandleDrag({
    isOn: isOn && active !== undefined,
    handles,
    onStart: ({ role }) => {
      held.current = role
    },
    onDrag: ({ position }) =>
      attempt(() => {
        const transform = transformOf(position)
        setPreview({ transform, edit: transformShape(graph, draft.id, transform) })
      }),
    onEnd(event) {
      if (event) apply(transformOf(event.position))
      held.current = null
      setPreview(null)
    },
    onPress() {},
    onRemove() {},
  })
  return {
    text: `Drag the circle to move ${name}, or the diamond to rotate it. Neighbors stay.`,
    readout: preview && wordsOf(preview.transform),
    movingIds: preview ? new Set([draft.id]) : new Set(),
    fields: <TransformFields onApply={apply} />,
    actions: [{ label: 'Back', run: onDone }],
    layers: (
      <>
        <ShapesLayer id="shaping-moving" shapes={preview ? shapesIn(preview.edit) : []} activeId={draft.id} />
        <HandlesLayer id="shaping-handles" handles={isOn && !preview ? handles : []} selected={null} />
      </>
    ),
    onClick() {},
    onKey({ key, shiftKey }) {
      const step = shiftKey ? largeStep : smallStep
      const change = changes[key.toLowerCase()]
      if (key === 'Escape') onDone()
      else if (change) apply({ ...none, ...change(step) })
      else return false
      return true
    },
  }
}

const changes: Record<string, (step: number) => Partial<Transform>> = {
  arrowleft: (step) => ({ east: -step }),
  arrowright: (step) => ({ east: step }),
  arrowup: (step) => ({ north: step }),
  arrowdown: (step) => ({ north: -step }),
  '[': (step) => ({ clockwise: -step }),
  ']': (step) => ({ clockwise: step }),
}

function handlesAround(active: Parameters<typeof middleOf>[0]): Handle[] {
  const [lng, lat] = middleOf(active)
  const { south, north } = extentOfGeometry(active.geometry)
  const away = Math.max(1e-5, (north - south) * 0.7)
  return [
    { role: 'own', position: [lng, lat], corner: null },
    { role: 'shared', position: [lng, lat + away], corner: null },
  ]
}

function labelOf({ east, north, clockwise }: Transform, name: string): string {
  if (clockwise === 0) return `Move ${name}`
  return east === 0 && north === 0 ? `Rotate ${name}` : `Move and rotate ${name}`
}

function wordsOf({ east, north, clockwise }: Transform): string {
  if (clockwise !== 0)
    return `${formatNumber(Math.abs(clockwise), 1)}° ${clockwise > 0 ? 'clockwise' : 'counterclockwise'}`
  return formatDistance(Math.hypot(east, north), readersUnits())
}
