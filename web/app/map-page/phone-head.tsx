import type { MapSummary } from '#domain/clients/client.schema.ts'
import { PageActions } from '../page-actions.tsx'
import { Association } from './association.tsx'
import { type PaneProps, pageOf } from './list-pane.tsx'
import classes from './phone-head.module.css'

type PhoneHeadProps = Pick<PaneProps, 'mapId' | 'variant' | 'onHelp'> & { summary: MapSummary | undefined }

export function PhoneHead({ summary, ...page }: PhoneHeadProps) {
  return (
    <header className={classes.head}>
      <div>
        <h1>POA Land Management</h1>
        <Association summary={summary} />
      </div>
      <PageActions {...pageOf(page)} shape="phone" />
    </header>
  )
}
