import type { ReactNode } from 'react'
import { useId } from 'react'
import classes from './configuration-panel.module.css'

type FieldGroupProps = { title: string; action?: ReactNode; children: ReactNode }

/** Fields that belong together, with what fills them all at once beside their title. */
export function FieldGroup({ title, action, children }: FieldGroupProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot stand in a line with a button
    <div className={classes.group} role="group" aria-labelledby={id}>
      <div className={classes.groupHeader}>
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </div>
  )
}
