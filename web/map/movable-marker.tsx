import { Marker } from '@vis.gl/react-maplibre'
import { type ReactNode, useState } from 'react'
import type { LatLng } from '#domain/geometry/geometry.schema.ts'

type MovableMarkerProps = {
  position: LatLng
  anchor: 'center' | 'bottom'
  onMove: ((position: LatLng) => void) | undefined
  children: ReactNode
}

/** Stays under the pointer while other parts render. */
export function MovableMarker({ position, anchor, onMove, children }: MovableMarkerProps) {
  const [dragged, setDragged] = useState<LatLng | null>(null)
  const { lat, lng } = dragged ?? position
  return (
    <Marker
      longitude={lng}
      latitude={lat}
      anchor={anchor}
      draggable={onMove !== undefined}
      onDrag={({ lngLat }) => setDragged({ lat: lngLat.lat, lng: lngLat.lng })}
      onDragEnd={({ lngLat }) => {
        setDragged(null)
        onMove?.({ lat: lngLat.lat, lng: lngLat.lng })
      }}
    >
      {children}
    </Marker>
  )
}
