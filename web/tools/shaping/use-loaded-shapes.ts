import { useQuery } from '@tanstack/react-query'
import { useMap } from '@vis.gl/react-maplibre'
import { useCallback, useEffect, useState } from 'react'
import type { DefinedKind } from '#domain/features/definitions.ts'
import type { Box } from '#domain/geometry/box.ts'
import type { Geometry } from '#domain/geometry/geometry.schema.ts'
import { extentOfGeometry } from '#domain/geometry/measure-geometry.ts'
import type { Box as PlanarBox } from '#domain/geometry/segments.ts'
import { shapesInBoxQuery } from '#web/api/features.api.ts'
import { roundedBox } from '#web/workspace/box-text.ts'
import type { LoadedShape } from './shape-session.ts'

const boxStep = 0.002
/** Shapes that were in view stay loaded up to this number. */
const maxLoaded = 6_000
const maxViews = 20

type Wanted = {
  mapId: string
  kind: DefinedKind
  /** Loaded shapes that must stay. */
  keep: ReadonlySet<string>
  /** The edited shape, around which shapes are loaded first. */
  shape: { geometry: Geometry } | undefined
}

/** The shapes in view, and those that were. */
export function useLoadedShapes({ mapId, kind, keep, shape }: Wanted) {
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
  /** Boxes whose shapes are all loaded. */
  const [views, setViews] = useState<readonly Box[]>([])
  const box = view && boxToLoad(widened(view), shape && widened(extentOfGeometry(shape.geometry)), views)
  const query = useQuery({
    ...shapesInBoxQuery(mapId, kind, box ? roundedBox(box, boxStep) : ''),
    enabled: box !== null,
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
        (!isFull || keep.has(id)) && !(data.isComplete && box && isInBox(geometry, box)),
    )
    setLoaded(new Map([...before, ...data.items.map((item) => [item.id, item] as const)]))
    if (data.isComplete && box) setViews(isFull ? [box] : [...views, box].slice(-maxViews))
  }
  const loadedPart = useCallback(
    ([west, south, east, north]: PlanarBox): PlanarBox | null => {
      const parts = views.map(
        (view): PlanarBox => [
          Math.max(west, view.west),
          Math.max(south, view.south),
          Math.min(east, view.east),
          Math.min(north, view.north),
        ],
      )
      const sizeOf = (part: PlanarBox) => (part[2] - part[0]) * (part[3] - part[1])
      const inside = parts.filter((part) => part[0] <= part[2] && part[1] <= part[3])
      return inside.toSorted((one, other) => sizeOf(other) - sizeOf(one))[0] ?? null
    },
    [views],
  )
  const isComplete = data?.isComplete === true && !isPlaceholderData
  const latest = views.at(-1)
  const isInView = useCallback(
    ({ geometry }: { geometry: Geometry }) => latest !== undefined && isComplete && isInBox(geometry, latest),
    [latest, isComplete],
  )
  return {
    loaded,
    loadedPart,
    isInView,
    view,
    isComplete: data?.isComplete !== false,
    error: query.error,
    isLoading: query.isPending,
  }
}

/** A town in view has thousands of shapes; the neighbors of the edited one load at once. */
function boxToLoad(view: Box, around: Box | undefined, loaded: readonly Box[]): Box {
  const isFirst = around && isWithin(around, view) && !loaded.some((box) => isWithin(around, box))
  return isFirst ? around : view
}

const isWithin = (inner: Box, outer: Box) =>
  inner.west >= outer.west &&
  inner.east <= outer.east &&
  inner.south >= outer.south &&
  inner.north <= outer.north

/** To whole steps, so that small moves of the map repeat the same query. */
function widened({ west, south, east, north }: Box): Box {
  return {
    west: Math.floor(west / boxStep) * boxStep,
    south: Math.floor(south / boxStep) * boxStep,
    east: Math.ceil(east / boxStep) * boxStep,
    north: Math.ceil(north / boxStep) * boxStep,
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
