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
              aria-label="Put the notice away"
              onClick={() => setDismissed(baseMap)}
            >
              <IconX size={14} />
            </ActionIcon>
          </div>
        )}
      </div>
      <div className={classes.notices} role="status">
        {isReviving && <MapNotice onRetry={null}>The browser stopped the map. Restarting…</MapNotice>}
        {isDataAway && <MapNotice onRetry={onRefresh}>Some of the map’s data could not be loaded.</MapNotice>}
        {children}
      </div>
    </>
  )
}

export function MapNotice({ onRetry, children }: { onRetry: (() => void) | null; children: ReactNode }) {
  return (
    <p className={classes.notice}>
      {children}{' '}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </p>
  )
}

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
