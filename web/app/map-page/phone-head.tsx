import type { MapSummary } from '#domain/clients/client.schema.ts'
import { PageActions } from '../page-actions.tsx'
import { type PaneProps, pageOf } from './list-pane.tsx'
import classes from './phone-head.module.css'

type PhoneHeadProps = Pick<PaneProps, 'mapId' | 'variant' | 'onHelp'> & { summary: MapSummary | undefined }

export function PhoneHead({ summary, ...page }: PhoneHeadProps) {
  return (
    <header className={classes.head}>
      <div>
        <h1>POA Land Management</h1>
        <p>{summary?.client?.name ?? (summary && 'Sample')}</p>
      </div>
      <PageActions {...pageOf(page)} shape="phone" />
    </header>
  )
}
