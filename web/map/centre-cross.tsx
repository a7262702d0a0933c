import type { LatLng } from '#domain/geometry/geometry.schema.ts'
import classes from './centre-cross.module.css'
import { MovableMarker } from './movable-marker.tsx'

type CentreCrossProps = { position: LatLng | null; onMove: ((position: LatLng) => void) | undefined }

export function CentreCross({ position, onMove }: CentreCrossProps) {
  if (!position) return null
  return (
    <MovableMarker position={position} anchor="center" onMove={onMove}>
      <svg
        className={classes.cross}
        width="36"
        height="36"
        viewBox="0 0 36 36"
        role="img"
        aria-label="Center of the map"
      >
        <g className={classes.casing}>
          <circle cx="18" cy="18" r="9" />
          <path d="M18 2v12M18 22v12M2 18h12M22 18h12" />
        </g>
        <g className={classes.line}>
          <circle cx="18" cy="18" r="9" />
          <path d="M18 2v12M18 22v12M2 18h12M22 18h12" />
        </g>
      </svg>
    </MovableMarker>
  )
}
