import { Link } from '@tanstack/react-router'
import { useMay } from '#web/api/use-session.ts'
import { MakeTokenButton, TokenList } from '#web/identity/api-tokens.tsx'
import classes from './tokens-section.module.css'

export function TokensSection({ mapId }: { mapId: string }) {
  const isStaff = useMay('staff', mapId)
  const isManager = useMay('manager', mapId)
  return (
    <div className={classes.section}>
      <header className={classes.header}>
        <h1>API Tokens</h1>
        {isStaff && <MakeTokenButton mapId={mapId} />}
      </header>
      <p className={classes.note}>
        {isManager
          ? 'Programs reach this map by these tokens, each in the name of who made it, and never with more than they may.'
          : 'Managers of this client see all tokens that reach its map.'}{' '}
        <Link to="/config/tokens">Your own tokens</Link>
      </p>
      {isManager && <TokenList of={{ mapId }} />}
    </div>
  )
}
