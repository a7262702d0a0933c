import { ActionIcon, Button } from '@mantine/core'
import { IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { signInAddress } from '#web/api/session.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { tip } from '#web/ui/tips.tsx'
import { clearSignedOut } from './session-channel.ts'
import { useLogout } from './use-sign-out.ts'

/** Section 2 of the specification. */
const afterLogin = '/config/map'

type AccountButtonProps = {
  isIconOnly?: boolean
  size?: 'xs' | 'md'
  isQuiet?: boolean
}

export function AccountButton({ isIconOnly = false, size = 'xs', isQuiet = false }: AccountButtonProps) {
  const session = useSession()
  const logout = useLogout()
  const isIn = session.status === 'authenticated'
  const label = isIn ? 'Logout' : 'Login'
  const Icon = isIn ? IconLogout2 : IconLogin2
  // Signing in leaves the page, so it is a link.
  const action = isIn
    ? { loading: logout.isGoing, onClick: logout.ask }
    : { component: 'a' as const, href: signInAddress(afterLogin), onClick: clearSignedOut }
  return (
    <>
      {logout.dialog}
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
