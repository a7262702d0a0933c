import type { ReactNode } from 'react'
import classes from './facts.module.css'

export function FactList({ children }: { children: ReactNode }) {
  return <dl className={classes.list}>{children}</dl>
}

export function Fact({
  label,
  mark,
  children,
  isWide = false,
  isOnScreenOnly,
}: {
  label: string
  mark?: string | undefined
  children: ReactNode
  isWide?: boolean
  isOnScreenOnly?: true
}) {
  const isUnknown = children === null || children === undefined || children === ''
  return (
    <div className={classes.fact} data-wide={isWide || undefined} data-print-hidden={isOnScreenOnly}>
      <dt>
        <span>{label}</span>
        {mark !== undefined && <span className={classes.mark}>{mark}</span>}
      </dt>
      <dd>{isUnknown ? <span title="Unknown">–</span> : children}</dd>
    </div>
  )
}

export function Prose({ children }: { children: string }) {
  return children === '' ? null : <p className={classes.prose}>{children}</p>
}
