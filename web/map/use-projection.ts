import { useMap } from '@vis.gl/react-maplibre'
import type { Position } from 'geojson'
import { useEffect, useReducer } from 'react'

export type Project = (position: Position) => { x: number; y: number }

export function useProjection(): Project | null {
  const map = useMap().current?.getMap()
  const [, moved] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    map?.on('move', moved)
    return () => {
      map?.off('move', moved)
    }
  }, [map])
  return map ? ([lng = 0, lat = 0]) => map.project([lng, lat]) : null
}
