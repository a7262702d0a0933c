import { type ReactNode, useId, useState } from 'react'
import { MoreBelow } from '#web/ui/more-below.tsx'
import classes from './legend.module.css'

export function LegendFrame({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={classes.legend}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>Legend</summary>
      {isOpen && <LegendBody>{children}</LegendBody>}
      <MoreBelow />
    </details>
  )
}

export function LegendBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>
}

export const NothingInView = () => <p>No features in view</p>

export function LegendGroup({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <div>
      <p id={titleId} className={classes.title}>
        {title}
      </p>
      <ul aria-labelledby={titleId}>{children}</ul>
    </div>
  )
}
