import { ActionIcon, Button } from '@mantine/core'
import { IconMapOff, IconX } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { BaseMap } from '#domain/map-configuration/map-constants.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import classes from './map-notices.module.css'

type MapNoticesProps = {
  baseMap: BaseMap | null
  onRetryBaseMap: (() => void) | null
  isDataAway: boolean
  isReviving: boolean
  onRefresh(): void
  children?: ReactNode
}

export function MapNotices(props: MapNoticesProps) {
  const { baseMap, onRetryBaseMap, isDataAway, isReviving, onRefresh, children } = props
  const [dismissed, setDismissed] = useState<BaseMap | null>(null)
  if (dismissed !== null && dismissed !== baseMap) setDismissed(null)
  return (
    <>
      <div className={classes.mark} role="status">
        {baseMap !== null && dismissed !== baseMap && (
          <div className={classes.notice}>
            <IconMapOff size={16} aria-hidden="true" />
            <span>No base map</span>
            {onRetryBaseMap && (
              <button type="button" onClick={onRetryBaseMap}>
                Retry
              </button>
            )}
            <ActionIcon
              className={classes.dismiss}
              variant="subtle"
              color="gray"
              size="sm"
              aria-label="Dismiss"
              onClick={() => setDismissed(baseMap)}
            >
              <IconX size={14} />
            </ActionIcon>
          </div>
        )}
      </div>
      <div className={classes.notices} role="status">
        {isReviving && <MapNotice onRetry={null}>The browser stopped the map. Restarting…</MapNotice>}
        {isDataAway && <MapNotice onRetry={onRefresh}>Could not load some map data.</MapNotice>}
        {children}
      </div>
    </>
  )
}

type MapNoticeProps = { onRetry: (() => void) | null; onDismiss?(): void; children: ReactNode }

export function MapNotice({ onRetry, onDismiss, children }: MapNoticeProps) {
  return (
    <p className={classes.notice}>
      {children}{' '}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
      {onDismiss && (
        <button type="button" onClick={onDismiss}>
          Dismiss
        </button>
      )}
    </p>
  )
}

export function CannotDraw() {
  return (
    <div className={classes.instead}>
      <ErrorState
        title="Your browser cannot display the map."
        reason="The map needs WebGL 2, which is missing or turned off. Turn on graphics acceleration in your browser settings, update your browser, or use another one. Lists, search, and details still work."
        onRetry={null}
      >
        <Button variant="default" size="xs" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </ErrorState>
    </div>
  )
}
