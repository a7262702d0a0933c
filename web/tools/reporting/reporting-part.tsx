import { Marker } from '@vis.gl/react-maplibre'
import { useReporting } from '#web/workspace/reporting.ts'
import { useToolMode } from '#web/workspace/tool.ts'
import classes from './reporting-part.module.css'

export function ReportingPart() {
  const reporting = useReporting()
  useToolMode({
    // The form stays as high as it is, unlike beside tools that need the whole map.
    isOn: false,
    turnOff: () => {},
    onClick({ lngLat }) {
      if (reporting?.place !== null) return false
      reporting.onPlace(lngLat)
      return true
    },
    unsaved: null,
  })
  if (!reporting) return null
  if (!reporting.place) return <div className={classes.cross} data-is-centered aria-hidden="true" />
  const { lng, lat } = reporting.place
  return (
    <Marker longitude={lng} latitude={lat}>
      <div className={classes.cross} aria-hidden="true" />
    </Marker>
  )
}
