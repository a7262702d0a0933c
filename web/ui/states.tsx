import { Skeleton } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './states.module.css'

// One look for each state of a list or panel without content. Errors: `error-state.tsx`, full pages: `card-page.tsx`.

type LoadingRowsProps = { label: string; rows?: number; height?: number }

export function LoadingRows({ label, rows = 3, height = 40 }: LoadingRowsProps) {
  return (
    <div className={classes.loading} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <Skeleton key={row} height={height} />
      ))}
    </div>
  )
}

type EmptyStateProps = {
  /** One sentence. */
  text: ReactNode
  /** The action that fixes it. */
  children?: ReactNode
}

export const EmptyState = ({ text, children }: EmptyStateProps) => (
  <div className={classes.empty}>
    <p>{text}</p>
    {children}
  </div>
)

export const NoPermission = ({ text }: { text: string }) => (
  <div className={classes.empty}>
    <IconLock size={20} aria-hidden="true" />
    <p>{text}</p>
  </div>
)
