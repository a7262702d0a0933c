import type { ReactNode } from 'react'
import classes from './facts.module.css'

/** A definition list in as many columns as fit. */
export function FactList({ children }: { children: ReactNode }) {
  return <dl className={classes.list}>{children}</dl>
}

/** One fact; what nobody knows is shown as a dash, so that its absence is seen. */
export function Fact({
  label,
  mark,
  children,
  isWide = false,
}: {
  label: string
  /** Said beside the label. */
  mark?: string | undefined
  children: ReactNode
  isWide?: boolean
}) {
  const isUnknown = children === null || children === undefined || children === ''
  return (
    <div className={classes.fact} data-wide={isWide || undefined}>
      <dt>
        <span>{label}</span>
        {mark !== undefined && <span className={classes.mark}>{mark}</span>}
      </dt>
      <dd>{isUnknown ? <span title="Not known">–</span> : children}</dd>
    </div>
  )
}

/** A text as it was written: line breaks kept, markup shown and never run. */
export function Prose({ children }: { children: string }) {
  return children === '' ? null : <p className={classes.prose}>{children}</p>
}
