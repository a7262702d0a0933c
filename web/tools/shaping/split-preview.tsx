import type { Shape } from '#domain/geometry/borders/shape-graph.ts'
import { measureAcres } from '#domain/geometry/measure-acres.ts'
import {
  extentOfGeometry,
  locationOfGeometry,
  polygonsOfGeometry,
} from '#domain/geometry/measure-geometry.ts'
import { scaleAt } from '#domain/geometry/scale.ts'
import { formatLand, readersUnits } from '#web/ui/measures.ts'
import { nameOf } from './shape-words.ts'
import classes from './shaping.module.css'

/** Units of the picture. */
const [width, height, margin] = [320, 150, 4]

/** The lots that a split would make: a numbered picture, and their areas. North is at the top. */
export function SplitPreview({ whole, pieces }: { whole: Shape; pieces: readonly Shape[] }) {
  const { west, south, east, north } = extentOfGeometry(whole.geometry)
  const [perLng, perLat] = scaleAt((south + north) / 2)
  const size = [(east - west) * perLng, (north - south) * perLat] as const
  const scale = Math.min((width - 2 * margin) / size[0], (height - 2 * margin) / size[1])
  const place = ([lng = 0, lat = 0]: readonly number[]) => [
    (width - size[0] * scale) / 2 + (lng - west) * perLng * scale,
    margin + (north - lat) * perLat * scale,
  ]
  const toRing = (ring: readonly (readonly number[])[]) =>
    `M${ring.map((one) => place(one).map((value) => value.toFixed(1))).join('L')}Z`
  return (
    <figure className={classes.preview}>
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {pieces.map(({ id, geometry }, index) => {
          const { lng, lat } = locationOfGeometry(geometry)
          const [x, y] = place([lng, lat])
          return (
            <g key={id}>
              <path fillRule="evenodd" d={polygonsOfGeometry(geometry).flat().map(toRing).join('')} />
              <text x={x} y={y}>
                {index + 1}
              </text>
            </g>
          )
        })}
      </svg>
      <ol aria-label="Lots after the split">
        {pieces.map((piece) => (
          <li key={piece.id}>
            {nameOf(piece)}: {formatLand(measureAcres(piece.geometry) ?? 0, readersUnits())}
          </li>
        ))}
      </ol>
    </figure>
  )
}
