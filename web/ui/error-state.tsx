import { Button } from '@mantine/core'
import classes from './error-state.module.css'

type ErrorStateProps = { title: string; error: Error | null; onRetry(): void }

/** Says in words what went wrong, in the place where it went wrong, and lets it be tried again there. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  return (
    <div className={classes.error} role="alert">
      <p className={classes.title}>{title}</p>
      {error && <p className={classes.reason}>{error.message}</p>}
      <Button variant="default" size="xs" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}
