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
      reporting?.onPlace(lngLat)
      return reporting !== null
    },
    unsaved: null,
  })
  return reporting ? <div className={classes.cross} aria-hidden="true" /> : null
}
