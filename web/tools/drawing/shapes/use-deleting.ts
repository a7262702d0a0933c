import { useMap } from '@vis.gl/react-maplibre'
import type { Position } from 'geojson'
import type { MapMouseEvent } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { counted } from '#domain/values/wording.ts'
import { usePressWord } from '#web/ui/device.ts'
import type { DrawnShape } from './drawn-shape.ts'
import { shapeSeenAt } from './shape-layers.tsx'
import type { Task } from './task.ts'
import type { Shapes } from './use-shapes.ts'

/** Deletes the marked shapes when the user saves. Needs no drawing engine. */
export function useDeleting(isOn: boolean, shapes: Shapes, close: (deleted: readonly DrawnShape[]) => void) {
  const press = usePressWord()
  const map = useMap().current?.getMap()
  // In the order of marking; those after `count` are undone.
  const [marks, setMarks] = useState<{ ids: readonly string[]; count: number }>({ ids: [], count: 0 })
  const marked = marks.ids.slice(0, marks.count)

  function mark(place: Position) {
    const id = map && shapeSeenAt(map, place)
    if (id === undefined || marked.includes(id)) return
    setMarks({ ids: [...marked, id], count: marked.length + 1 })
  }
  useEffect(() => {
    if (!map || !isOn) return
    const hover = ({ lngLat }: MapMouseEvent) => {
      map.getCanvas().style.cursor = shapeSeenAt(map, lngLat.toArray()) === undefined ? '' : 'pointer'
    }
    map.on('mousemove', hover)
    return () => {
      map.off('mousemove', hover)
      map.getCanvas().style.cursor = ''
      setMarks({ ids: [], count: 0 })
    }
  }, [map, isOn])
  if (!isOn) return null

  function remove(ids: readonly string[]) {
    shapes.remove(ids)
    close(shapes.all.filter(({ id }) => ids.includes(id)))
  }
  const count = marked.length
  const task: Task = {
    status:
      count === 0
        ? `${press} a shape to delete it`
        : `${counted(count, 'shape')} will be deleted when you save`,
    readout: '',
    pointer: null,
    sketch: null,
    problem: null,
    canUndo: count > 0,
    canRedo: count < marks.ids.length,
    hasChanges: count > 0,
    undo: () => setMarks({ ...marks, count: Math.max(0, count - 1) }),
    redo: () => setMarks({ ...marks, count: Math.min(marks.ids.length, count + 1) }),
    escape: () => count > 0 || close([]),
    moveTo: () => {},
    click: mark,
    press: mark,
    removeVertex: () => setMarks({ ...marks, count: Math.max(0, count - 1) }),
    actions: [
      {
        label: 'Save',
        isPrimary: true,
        isDisabled: count === 0,
        run: () => remove(marked),
      },
      { label: 'Cancel', run: () => close([]) },
      {
        label: 'Clear all',
        run: () => close(shapes.clear()),
      },
    ],
  }
  const isMarked = ({ id }: DrawnShape) => marked.includes(id)
  return { task, rest: shapes.all.filter((shape) => !isMarked(shape)), marked: shapes.all.filter(isMarked) }
}
