import { useSession } from '#web/api/use-session.ts'
import classes from './who-is-in.module.css'

/** Who is signed in, and what that person may do at most. */
export function WhoIsIn() {
  const session = useSession()
  if (session.status !== 'authenticated') return null
  const { name, roles } = session.person
  const held = Object.values(roles.ofMaps)
  const part = partOf(held)
  return (
    <div className={classes.who}>
      <p className={classes.name} title={name}>
        {name}
      </p>
      <p className={classes.role}>
        {roles.isAdministrator ? 'Administrator' : part}
        {session.isDemo && ' · demo sign-in'}
      </p>
    </div>
  )
}

function partOf(held: readonly string[]): string {
  if (held.includes('manager')) return 'Manager'
  return held.includes('editor') ? 'Editor' : 'No role yet'
}
