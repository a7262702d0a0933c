import { Button } from '@mantine/core'
import { ErrorState } from '#web/ui/error-state.tsx'
import classes from './map-notices.module.css'

type MapNoticesProps = { isBaseMapAway: boolean; isDataAway: boolean; onRefresh(): void }

/** What of the map cannot be had at the moment. */
export function MapNotices({ isBaseMapAway, isDataAway, onRefresh }: MapNoticesProps) {
  return (
    <div className={classes.notices} role="status">
      {isBaseMapAway && <p className={classes.notice}>Base map unavailable: showing outlines only.</p>}
      {isDataAway && (
        <p className={classes.notice}>
          Some of the map’s data could not be loaded.{' '}
          <button type="button" onClick={onRefresh}>
            Try again
          </button>
        </p>
      )}
    </div>
  )
}

/** In place of the map and of all that lies on it, where there is no WebGL. What stands beside it goes on. */
export function CannotDraw() {
  return (
    <div className={classes.instead}>
      <ErrorState
        title="This browser cannot draw the map."
        reason="The map needs WebGL 2, which is missing or switched off here. Turn on graphics acceleration in the browser’s settings, update the browser, or use another one. Lists, search and details work without the map."
        onRetry={null}
      >
        <Button variant="default" size="xs" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </ErrorState>
    </div>
  )
}
