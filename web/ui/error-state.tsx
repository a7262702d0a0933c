import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import classes from './error-state.module.css'

type ErrorStateProps = {
  title: string
  error?: Error | null
  reason?: string
  onRetry: (() => unknown) | null
  children?: ReactNode
}

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

type LoadedQuery = { isError: boolean; data: unknown; error: Error | null; refetch(): unknown }

export const loadFailure = ({ isError, data, error, refetch }: LoadedQuery, title: string) =>
  isError && !data ? <ErrorState title={title} error={error} onRetry={() => refetch()} /> : null
