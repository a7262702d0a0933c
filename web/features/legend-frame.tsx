import { type ReactNode, useId, useState } from 'react'
import { MoreBelow } from '#web/ui/more-below.tsx'
import classes from './legend.module.css'

/** On the map; closed at first. */
export function LegendFrame({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className={classes.legend}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>Legend</summary>
      <LegendBody>{children}</LegendBody>
      <MoreBelow />
    </details>
  )
}

/** All the signs, however they are framed. */
export function LegendBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>
}

/** The signs of one thing, below what they are signs of. */
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
