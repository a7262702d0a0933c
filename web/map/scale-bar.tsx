import type { Map as EngineMap } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { useIsPhone } from '#web/ui/device.ts'
import { formatDistance, otherUnits, readersUnits, roundDistanceWithin } from '#web/ui/measures.ts'
import classes from './scale-bar.module.css'
import { metersPerPixel } from './zoom.ts'

/** At the center: the scale differs along a meridian. */
const scaleOf = (map: EngineMap) => metersPerPixel(map.getCenter().lat, map.getZoom())

/** The reader's unit, the other one on hover. */
export function ScaleBar({ map }: { map: EngineMap }) {
  const [scale, setScale] = useState(() => scaleOf(map))
  useEffect(() => {
    const measure = () => setScale(scaleOf(map))
    measure()
    map.on('move', measure)
    return () => {
      map.off('move', measure)
    }
  }, [map])
  const maxPixels = useIsPhone() ? 60 : 100
  const units = readersUnits()
  const { meters, text } = roundDistanceWithin(maxPixels * scale, units)
  const both = `${text} (${formatDistance(meters, otherUnits(units))})`
  return (
    <div className={classes.scale} role="img" aria-label={`Scale: ${both}`} title={both}>
      <span style={{ width: meters / scale }} />
      {text}
    </div>
  )
}
