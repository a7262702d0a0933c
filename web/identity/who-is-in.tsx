import { highestRole, mapRoleLabels } from '#domain/access/access.ts'
import { useSession } from '#web/api/use-session.ts'
import classes from './who-is-in.module.css'

export function WhoIsIn() {
  const session = useSession()
  if (session.status !== 'authenticated') return null
  const { name, roles } = session.person
  const role = highestRole(roles)
  const part = role ? mapRoleLabels[role] : 'No role yet'
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
