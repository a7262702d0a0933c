import { useProjection } from '#web/map/use-projection.ts'
import type { LngLat } from './area-ring.ts'
import classes from './area-sketch.module.css'

export function AreaSketch({ corners }: { corners: readonly LngLat[] | null }) {
  const project = useProjection()
  if (!project || !corners) return null
  const points = corners.map(({ lng, lat }) => project([lng, lat]))
  return (
    <svg className={classes.sketch} aria-hidden="true" data-area={corners.length}>
      <polygon points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
    </svg>
  )
}
