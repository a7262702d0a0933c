import type { Map as EngineMap } from 'maplibre-gl'
import { useEffect, useState } from 'react'
import { useIsPhone } from '#web/ui/device.ts'
import { formatDistance, otherUnits, readersUnits, roundDistanceWithin } from '#web/ui/measures.ts'
import classes from './scale-bar.module.css'

const equatorMeters = 40_075_016.7
const worldPixels = 512

/** At the center: the scale differs along a meridian. */
function metersPerPixelOf(map: EngineMap): number {
  const latitude = (map.getCenter().lat * Math.PI) / 180
  return (equatorMeters * Math.cos(latitude)) / (worldPixels * 2 ** map.getZoom())
}

/** The reader's unit, the other one on hover. */
export function ScaleBar({ map }: { map: EngineMap }) {
  const [metersPerPixel, setMetersPerPixel] = useState(() => metersPerPixelOf(map))
  useEffect(() => {
    const measure = () => setMetersPerPixel(metersPerPixelOf(map))
    measure()
    map.on('move', measure)
    return () => {
      map.off('move', measure)
    }
  }, [map])
  const maxPixels = useIsPhone() ? 60 : 100
  const units = readersUnits()
  const { meters, text } = roundDistanceWithin(maxPixels * metersPerPixel, units)
  const both = `${text} (${formatDistance(meters, otherUnits(units))})`
  return (
    <div className={classes.scale} role="img" aria-label={`Scale: ${both}`} title={both}>
      <span style={{ width: meters / metersPerPixel }} />
      {text}
    </div>
  )
}
