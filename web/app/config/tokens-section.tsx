import { Link } from '@tanstack/react-router'
import { useMay } from '#web/api/use-session.ts'
import { MakeTokenButton, TokenList } from '#web/identity/api-tokens.tsx'
import classes from './tokens-section.module.css'

export function TokensSection({ mapId }: { mapId: string }) {
  const isStaff = useMay('staff', mapId)
  const isManager = useMay('manager', mapId)
  return (
    <div className={classes.section}>
      <header className={classes.header}>{isStaff && <MakeTokenButton mapId={mapId} />}</header>
      <p className={classes.note}>
        {isManager
          ? 'Programs use these tokens to access this map. A token never exceeds the access of its creator.'
          : 'Only managers of this client can see all access tokens.'}{' '}
        <Link to="/config/tokens">Your tokens</Link>
      </p>
      {isManager && <TokenList of={{ mapId }} />}
    </div>
  )
}
