import { type ReactNode, useState } from 'react'
import classes from './legend.module.css'

/** Closed until somebody asks. */
export function LegendFrame({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={classes.legend}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>Legend</summary>
      <div className={classes.body}>{children}</div>
    </details>
  )
}
