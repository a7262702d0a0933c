import { ActionIcon, Button } from '@mantine/core'
import { IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { signInAddress } from '#web/api/session.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { tip } from '#web/ui/tips.tsx'
import { forgetSignedOut } from './signed-out.ts'
import { useLogout } from './use-sign-out.ts'

// Only staff ever need it.
const AccountMenu = lazyPart(() => import('./account-menu.tsx').then((module) => module.AccountMenu))

/** Section 2 of the specification: after login the user is sent here. */
const afterLogin = '/config/map'

type AccountButtonProps = {
  /** For the rail, which has room for an icon alone. */
  isIconOnly?: boolean
  size?: 'xs' | 'md'
  isQuiet?: boolean
}

/** Login, or Logout for whoever is signed in. */
export function AccountButton({ isIconOnly = false, size = 'xs', isQuiet = false }: AccountButtonProps) {
  const session = useSession()
  const logout = useLogout()
  const isIn = session.status === 'authenticated'
  const label = isIn ? 'Logout' : 'Login'
  const Icon = isIn ? IconLogout2 : IconLogin2
  // Signing in leaves the page, and so it is a link.
  const action = isIn
    ? { loading: logout.isGoing, onClick: logout.ask }
    : { component: 'a' as const, href: signInAddress(afterLogin), onClick: forgetSignedOut }
  return (
    <>
      {logout.question}
      {isIconOnly ? (
        <ActionIcon
          {...tip(logout.failure ?? label, 'right')}
          {...action}
          variant="subtle"
          color="gray"
          size={40}
          aria-label={label}
        >
          <Icon size={20} />
        </ActionIcon>
      ) : (
        <Button
          {...action}
          variant={isQuiet ? 'subtle' : 'default'}
          size={size}
          leftSection={<Icon size={16} aria-hidden="true" />}
          title={logout.failure}
        >
          {logout.failure === undefined ? label : 'Logout failed: try again'}
        </Button>
      )}
    </>
  )
}

/** At the top right of a phone's page: Login, or the menu of whoever is signed in. */
export function PhoneAccount() {
  const { status } = useSession()
  if (status === 'loading') return null
  if (status !== 'authenticated') return <AccountButton isQuiet />
  return (
    <Guard what="Your menu" layout="inline" waiting={null}>
      <AccountMenu />
    </Guard>
  )
}
