import type { ReactNode } from 'react'
import classes from './import-panel.module.css'

type ScrolledTableProps = {
  label: string
  heads: readonly string[]
  hasControls?: boolean
  children: ReactNode
}

export function ScrolledTable({ label, heads, hasControls = false, children }: ScrolledTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls with the keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table} data-controls={hasControls || undefined} aria-label={label}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}
