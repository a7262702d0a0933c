import { type ReactNode, useId } from 'react'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { MoreBelow } from '#web/ui/more-below.tsx'
import classes from './legend.module.css'

export function LegendFrame({ children }: { children: ReactNode }) {
  return (
    <section className={classes.legend} aria-label="Legend">
      <Disclosure label="Legend" look="title">
        <LegendBody>{children}</LegendBody>
        <MoreBelow />
      </Disclosure>
    </section>
  )
}

export function LegendBody({ children }: { children: ReactNode }) {
  return <div className={classes.body}>{children}</div>
}

export const NothingInView = () => <p>No features in view</p>

export const BareDots = () => (
  <LegendGroup title="Small dots" isOnScreenOnly>
    <li>
      <span className={classes.dot} />
      Zoom in to see the symbol
    </li>
  </LegendGroup>
)

type LegendGroupProps = { title: string; isOnScreenOnly?: true; children: ReactNode }

export function LegendGroup({ title, isOnScreenOnly, children }: LegendGroupProps) {
  const titleId = useId()
  return (
    <div data-print-hidden={isOnScreenOnly}>
      <p id={titleId} className={classes.title}>
        {title}
      </p>
      <ul aria-labelledby={titleId}>{children}</ul>
    </div>
  )
}
