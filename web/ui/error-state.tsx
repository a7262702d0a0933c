import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './error-state.module.css'

type ErrorStateProps = {
  title: string
  error?: Error | null
  /** In place of the error's own words. */
  reason?: string
  /** May promise an end; null where trying again cannot help. */
  onRetry: (() => unknown) | null
  /** More that can be done. */
  children?: ReactNode
}

/** Says in words what went wrong, in the place where it went wrong, and lets it be tried again there. */
export function ErrorState({ title, error, reason = error?.message, onRetry, children }: ErrorStateProps) {
  const [isTrying, setIsTrying] = useState(false)
  async function retry() {
    setIsTrying(true)
    try {
      await onRetry?.()
    } finally {
      setIsTrying(false)
    }
  }
  return (
    <div className={classes.error} role="alert">
      <p className={classes.title}>{title}</p>
      {reason && <p className={classes.reason}>{reason}</p>}
      <div className={classes.ways}>
        {onRetry && (
          <Button variant="default" size="xs" loading={isTrying} onClick={() => void retry()}>
            Try again
          </Button>
        )}
        {children}
      </div>
    </div>
  )
}
