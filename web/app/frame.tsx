import { IconPlugConnectedX } from '@tabler/icons-react'
import { Outlet } from '@tanstack/react-router'
import { useConnection } from '#web/api/connection.ts'
import { clockTime } from '#web/ui/relative-time.ts'
import classes from './frame.module.css'

/** What stands around every screen: whether what is on it is as it is now. */
export function Frame() {
  return (
    <div className={classes.frame}>
      <ConnectionNotice />
      <div className={classes.screen}>
        <Outlet />
      </div>
    </div>
  )
}

function ConnectionNotice() {
  const { isAway, isLiveLost, asOf } = useConnection()
  // The region is there before it speaks: what comes with its words is not read out everywhere.
  return (
    <div role="status">
      {(isAway || isLiveLost) && (
        <p className={classes.notice}>
          <IconPlugConnectedX size={16} aria-hidden="true" />
          <span>
            {isAway ? 'No connection.' : 'Changes do not arrive at the moment.'} What you see is as of{' '}
            <time dateTime={new Date(asOf).toISOString()}>{clockTime(asOf)}</time>.
          </span>
        </p>
      )}
    </div>
  )
}
