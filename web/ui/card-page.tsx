import { Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './card-page.module.css'
import { usePageTitle } from './page-title.ts'

type CardPageProps = { title?: string; children: ReactNode; ways?: ReactNode }

/** A page without a map. It looks like the sign-in pages of the server. `ways` are links and buttons that lead on. */
export function CardPage({ title, children, ways }: CardPageProps) {
  usePageTitle(title)
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <p className={classes.brand}>
          <img src="/favicon.svg" alt="" width={24} height={24} />
          POA Land Management
        </p>
        {title && <h1>{title}</h1>}
        {children}
        {ways && <div className={classes.ways}>{ways}</div>}
      </div>
    </main>
  )
}

export function LoadingPage({ label, children }: { label?: string; children?: ReactNode }) {
  return (
    <main className={classes.page} aria-busy="true">
      <Loader {...(label ? { 'aria-label': label } : { 'aria-hidden': true })} />
      {children}
    </main>
  )
}
