import { useQuery } from '@tanstack/react-query'
import { drawingsQuery } from '#web/api/drawings.api.ts'
import { ShapeLayers } from '../shapes/shape-layers.tsx'
import { toShape } from './drawing-shapes.ts'

export function SavedDrawings({ mapId }: { mapId: string }) {
  const { data } = useQuery(drawingsQuery(mapId))
  return data && <ShapeLayers shapes={data.map(toShape)} />
}
