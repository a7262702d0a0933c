import { useMap } from '@vis.gl/react-maplibre'
import type { Map as EngineMap } from 'maplibre-gl'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from 'react'
import type { FeatureShape } from '#domain/definition/kinds.ts'
import type { Geometry, Position } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { type DrawingTool, drawingErrorMs } from '#domain/map-configuration/map-constants.ts'
import { MovableMarker } from '#web/map/movable-marker.tsx'
import { useHasFinger, usePressWord } from '#web/ui/device.ts'
import type { Placing } from '#web/workspace/placing.ts'
import { useToolMode } from '#web/workspace/tool.ts'
import { DashedShapes } from '../shapes/dashed-shapes.tsx'
import { DrawingBar } from '../shapes/drawing-bar.tsx'
import { useRefusal } from '../shapes/drawing-kit.tsx'
import type { DrawnShape } from '../shapes/drawn-shape.ts'
import { SketchOverlay } from '../shapes/sketch-overlay.tsx'
import type { Task } from '../shapes/task.ts'
import { useDrawing } from '../shapes/use-drawing.ts'
import { useDrawingKeys } from '../shapes/use-drawing-keys.ts'
import { loadingStatus } from '../shapes/use-handler.ts'
import { noHistory } from '../shapes/use-history.ts'
import classes from './placed-record.module.css'

const toolOf: Record<FeatureShape, DrawingTool> = { point: 'marker', line: 'polyline', polygon: 'polygon' }

/** Points are dragged or moved with the arrow keys; other shapes are drawn again. */
export function PlacedRecord({ placing }: { placing: Placing }) {
  const { geometry, isSaved, task: shape, onPlace, onGiveUp } = placing
  const map = useMap().current?.getMap()
  const press = usePressWord()
  // A mouse points at the place, and the keyboard has Enter.
  const hasCenter = useHasFinger() && shape === 'point'
  const refusal = useRefusal()
  const lastClick = useLastClick()
  const drawing = useDrawing(shape && toolOf[shape], {
    shapes: {
      create(drawn) {
        lastClick.use()
        onPlace(geometryOf(drawn))
      },
    },
    history: noHistory,
    mayCross: false,
    close: onGiveUp,
    onCrossing: () => refusal.refuse(drawingErrorMs),
  })
  const task = drawing && taskOf(placing, drawing, press, hasCenter ? placeAtCenter : null)
  const keys = useDrawingKeys(task)
  useToolMode({
    isOn: shape !== null,
    turnOff: onGiveUp,
    // The click arrives after the task has ended.
    onClick: () => lastClick.isUsed(),
    onKey: (event) => task !== null && keys.onKey(event),
    unsaved: task?.hasChanges
      ? {
          what: `The shape of ‘${placing.name}’`,
          title: 'Unfinished shape',
          text: 'The shape you are drawing will be discarded.',
        }
      : null,
  })
  function placeAtCenter() {
    if (!map) return
    const { lng, lat } = map.getCenter().wrap()
    pointAt(onPlace)([lng, lat])
  }
  // Enter then places the first point.
  useEffect(() => {
    if (shape !== null) map?.getCanvas().focus()
  }, [map, shape])
  useInView(placing)

  return (
    <>
      {geometry && !isSaved && <DashedShapes id="placed-record" shapes={[{ geometry }]} />}
      {geometry?.type === 'Point' && (
        <MovablePoint placing={placing} place={geometry.coordinates} onMove={pointAt(onPlace)} />
      )}
      <SketchOverlay
        sketch={task?.sketch ?? null}
        pointer={task?.pointer ?? null}
        chosen={null}
        isRefused={refusal.isRefused}
        hasCross={keys.areLeading || hasCenter}
        isDropping={false}
      />
      {task && (
        <DrawingBar
          task={task}
          news={null}
          history={null}
          problem={task.problem}
          isByKeyboard={keys.areLeading}
          onForget={() => {}}
        />
      )}
    </>
  )
}

const pointAt = (onPlace: Placing['onPlace']) => (place: Position) =>
  onPlace({ type: 'Point', coordinates: place })

function useLastClick() {
  const isUsed = useRef(false)
  useEffect(() => {
    const begin = () => {
      isUsed.current = false
    }
    window.addEventListener('pointerdown', begin, { capture: true })
    return () => window.removeEventListener('pointerdown', begin, { capture: true })
  }, [])
  return {
    use() {
      isUsed.current = true
    },
    isUsed: () => isUsed.current,
  }
}

function taskOf(
  { name, task, geometry, onGiveUp }: Placing,
  drawing: Task,
  press: string,
  placeAtCenter: (() => void) | null,
): Task {
  const isPoint = task === 'point'
  return {
    ...drawing,
    isOneStep: isPoint,
    status:
      isPoint && drawing.status !== loadingStatus ? `${press} the map to place ‘${name}’` : drawing.status,
    actions:
      drawing.sketch === null
        ? [
            ...(placeAtCenter ? [{ label: 'Place at the cross', run: placeAtCenter }] : []),
            { label: geometry === null ? 'Place later' : 'Cancel', run: onGiveUp },
          ]
        : drawing.actions,
  }
}

/** A shape across the date line was cut there: its pieces are one geometry. */
function geometryOf(drawn: readonly DrawnShape[]): Geometry {
  const [first] = drawn as [DrawnShape]
  if (drawn.length === 1) return first.geometry as Geometry
  const coordinates = drawn.map(({ geometry }) => geometry.coordinates)
  return { type: `Multi${first.geometry.type}`, coordinates } as Geometry
}

/** Pixels at the edges of the map, where buttons are. */
const controls = { side: 64, top: 80, bottom: 32 }

function isInTheClear(map: EngineMap, place: readonly [number, number]): boolean {
  const { x, y } = map.project([...place])
  const { clientWidth: width, clientHeight: height } = map.getCanvas()
  const side = Math.min(controls.side, width / 4)
  const top = Math.min(controls.top, height / 4)
  return x >= side && x <= width - side && y >= top && y <= height - controls.bottom
}

/** Moves the map to typed coordinates, also when the form shrinks the map. */
function useInView({ geometry, isSaved }: Placing) {
  const map = useMap().current?.getMap()
  const show = useEffectEvent(() => {
    if (!map || !geometry || isSaved) return
    const { north, east, south, west } = extentOfGeometry(geometry)
    const isClear = [[west, south] as const, [east, north] as const].every((corner) =>
      isInTheClear(map, corner),
    )
    if (isClear) return
    if (geometry.type === 'Point') map.panTo([west, south])
    else map.fitBounds([west, south, east, north], { padding: 40, maxZoom: map.getZoom() })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another place moves the map
  useEffect(() => show(), [geometry])
  useEffect(() => {
    if (!map) return
    const onResize = () => show()
    map.on('resize', onResize)
    return () => {
      map.off('resize', onResize)
    }
  }, [map])
}

const stepsByKey: Record<string, readonly [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** Pixels per arrow key, without and with Shift. */
const [smallStep, largeStep] = [1, 10]

type MovablePointProps = { placing: Placing; place: Position; onMove(place: Position): void }

function MovablePoint({ placing: { name, sign, anchor }, place, onMove }: MovablePointProps) {
  const map = useMap().current?.getMap()
  const [lng, lat] = place
  function onKeyDown(event: KeyboardEvent) {
    const step = stepsByKey[event.key]
    if (!step || !map) return
    event.preventDefault()
    event.stopPropagation()
    const length = event.shiftKey ? largeStep : smallStep
    const { x, y } = map.project([lng, lat])
    const moved = map.unproject([x + step[0] * length, y + step[1] * length])
    onMove([moved.lng, moved.lat])
  }
  return (
    <MovableMarker position={{ lat, lng }} anchor={anchor} onMove={(to) => onMove([to.lng, to.lat])}>
      <button
        type="button"
        className={classes.point}
        data-anchor={anchor}
        aria-label={`Location of ‘${name}’`}
        aria-description="Use the arrow keys to move it, with Shift for larger steps"
        onKeyDown={onKeyDown}
      >
        {sign}
      </button>
    </MovableMarker>
  )
}
