import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { featureDetailQuery } from '#web/api/features.api.ts'
import classes from './hover-name.module.css'

/** Tiles carry no names, so the one under the pointer is asked for, once it rests. */
export function HoverName({ mapId, id, x, y }: { mapId: string; id: string; x: number; y: number }) {
  const [restedId] = useDebouncedValue(id, 120)
  const detail = useQuery({ ...featureDetailQuery(mapId, restedId), enabled: restedId === id })
  if (restedId !== id || !detail.data) return null
  const name = detail.data.kind === 'incident' ? detail.data.title : detail.data.name
  return (
    <div className={classes.name} style={{ left: x, top: y }} aria-hidden="true">
      {name || 'Untitled'}
    </div>
  )
}
