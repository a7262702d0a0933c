import type { Position } from 'geojson'
import { drawingColors } from '#domain/features/palette.ts'
import { guidelineDashPixels, guidelineMaxPixels } from '#domain/map-configuration/map-constants.ts'
import { type Project, useProjection } from '#web/map/use-projection.ts'
import { isDrawnByPoints } from './drawn-shape.ts'
import type { Sketch } from './handler.ts'
import classes from './sketch-overlay.module.css'

type SketchOverlayProps = {
  sketch: Sketch | null
  pointer: Position | null
  chosen: Position | null
  isRefused: boolean
  /** The keyboard is used: the center of the map is the pointer. */
  hasCross: boolean
  isDropping: boolean
}

/** An overlay, because map layers restart dashes at each tile's edge. */
export function SketchOverlay(props: SketchOverlayProps) {
  const { sketch, pointer, chosen, isRefused, hasCross, isDropping } = props
  const project = useProjection()
  if (!project) return null
  const color = isRefused ? drawingColors.error : drawingColors.normal
  const at = pointer && project(pointer)
  const chosenAt = chosen && project(chosen)
  return (
    <div className={classes.overlay}>
      <svg aria-hidden="true" data-sketch={sketch?.kind} style={{ color }}>
        {sketch && <SketchedShape sketch={sketch} pointer={pointer} project={project} />}
        {chosenAt && <circle className={classes.chosen} data-chosen cx={chosenAt.x} cy={chosenAt.y} r="6" />}
      </svg>
      {isDropping && <p className={classes.drop}>Drop GeoJSON here</p>}
      {hasCross && <div className={classes.cross} data-cross />}
      <div role="alert">
        {isRefused && at && (
          <p
            className={classes.refusal}
            style={{ left: `clamp(110px, ${at.x}px, 100% - 110px)`, top: Math.max(at.y, 54) }}
          >
            Shape edges must not cross
          </p>
        )}
      </div>
    </div>
  )
}

type SketchedShapeProps = { sketch: Sketch; pointer: Position | null; project: Project }

function SketchedShape({ sketch: { kind, placed, corners }, pointer, project }: SketchedShapeProps) {
  const pathOf = (positions: readonly Position[]) =>
    positions
      .map(project)
      .map(({ x, y }) => `${x},${y}`)
      .join(' ')
  if (!isDrawnByPoints(kind)) return <polygon className={classes.area} points={pathOf(corners)} />
  const last = placed.at(-1)
  const guideline = last && pointer && guidelineBetween(project(last), project(pointer))
  return (
    <>
      {kind === 'polygon' && <polygon className={classes.ground} points={pathOf(corners)} />}
      <polyline className={classes.edges} points={pathOf(placed)} />
      {guideline && (
        <line
          className={classes.guideline}
          data-guideline
          strokeDasharray={`${guidelineDashPixels / 2} ${guidelineDashPixels / 2}`}
          x1={guideline.from.x}
          y1={guideline.from.y}
          x2={guideline.to.x}
          y2={guideline.to.y}
        />
      )}
      {placed.map(project).map(({ x, y }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a point
        <circle key={index} className={classes.corner} cx={x} cy={y} r="5" />
      ))}
    </>
  )
}

type Point = { x: number; y: number }

export function guidelineBetween(from: Point, pointer: Point): { from: Point; to: Point } {
  const [x, y] = [from.x - pointer.x, from.y - pointer.y]
  const share = Math.min(1, guidelineMaxPixels / Math.max(Math.hypot(x, y), 1))
  return { from: { x: pointer.x + x * share, y: pointer.y + y * share }, to: pointer }
}
