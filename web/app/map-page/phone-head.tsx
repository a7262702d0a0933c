import type { MapSummary } from '#domain/clients/client.schema.ts'
import { PhoneAccount } from '#web/identity/account-button.tsx'
import classes from './phone-head.module.css'

export function PhoneHead({ summary }: { summary: MapSummary | undefined }) {
  return (
    <header className={classes.head}>
      <div>
        <h1>POA Land Management</h1>
        <p>{summary?.client?.name ?? (summary && 'Sample')}</p>
      </div>
      <PhoneAccount />
    </header>
  )
}
