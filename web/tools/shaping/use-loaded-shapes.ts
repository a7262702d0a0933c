import { useQuery } from '@tanstack/react-query'
import { useMap } from '@vis.gl/react-maplibre'
import { useEffect, useState } from 'react'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { Box } from '#domain/geometry/box.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import { shapesInBoxQuery } from '#web/api/features.api.ts'
import { roundedBox } from '#web/workspace/box-text.ts'
import type { LoadedShape } from './shape-session.ts'

const boxStep = 0.002
/** Shapes that were in view stay loaded up to this number. */
const maxLoaded = 6_000

/** The shapes in view, and those that were. */
export function useLoadedShapes(mapId: string, kind: DefinedKind, keep: ReadonlySet<string>) {
  const map = useMap().current?.getMap()
  const [view, setView] = useState(() => (map ? viewOf(map.getBounds()) : null))
  useEffect(() => {
    if (!map) return
    const follow = () => setView(viewOf(map.getBounds()))
    follow()
    map.on('moveend', follow)
    return () => {
      map.off('moveend', follow)
    }
  }, [map])
  const query = useQuery({
    ...shapesInBoxQuery(mapId, kind, view ? roundedBox(view, boxStep) : ''),
    enabled: view !== null,
  })
  const { data, isPlaceholderData } = query
  const [loaded, setLoaded] = useState<ReadonlyMap<string, LoadedShape>>(new Map())
  const [merged, setMerged] = useState<typeof data>(undefined)
  if (data && !isPlaceholderData && data !== merged) {
    setMerged(data)
    const isFull = loaded.size + data.items.length > maxLoaded
    // Shapes in this box that the answer does not have were removed.
    const before = [...loaded].filter(
      ([id, { geometry }]) =>
        (!isFull || keep.has(id)) && !(data.isComplete && view && isInBox(geometry, view)),
    )
    setLoaded(new Map([...before, ...data.items.map((item) => [item.id, item] as const)]))
  }
  const isInView = ({ geometry }: { geometry: Geometry }) =>
    view !== null && data?.isComplete === true && !isPlaceholderData && isInBox(geometry, view)
  return {
    loaded,
    isInView,
    view,
    isComplete: data?.isComplete !== false,
    error: query.error,
    isLoading: query.isPending,
  }
}

function viewOf(bounds: { getWest(): number; getSouth(): number; getEast(): number; getNorth(): number }) {
  return {
    west: bounds.getWest(),
    south: bounds.getSouth(),
    east: bounds.getEast(),
    north: bounds.getNorth(),
  }
}

function isInBox(geometry: Geometry, box: Box): boolean {
  const { west, south, east, north } = extentOfGeometry(geometry)
  return west <= box.east && east >= box.west && south <= box.north && north >= box.south
}
