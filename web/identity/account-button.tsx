import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { signInAddress, signOut } from '#web/api/session.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { forgetSignedOut } from './signed-out.ts'
import { useLeaveQuestion } from './use-leave-question.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Section 2 of the specification: after login the user is sent here. */
const afterLogin = '/config/map'

type AccountButtonProps = {
  /** For the rail, which has room for an icon alone. */
  isIconOnly?: boolean
  size?: 'xs' | 'md'
}

/** Login, or Logout for whoever is signed in. */
export function AccountButton({ isIconOnly = false, size = 'xs' }: AccountButtonProps) {
  const session = useSession()
  const leave = useSignOut(signOut)
  const { ask, question } = useLeaveQuestion()
  const isIn = session.status === 'authenticated'
  const label = isIn ? 'Logout' : 'Login'
  const Icon = isIn ? IconLogout2 : IconLogin2
  // Signing in leaves the page, and so it is a link.
  const action = isIn
    ? { loading: leave.isPending || leave.isSuccess, onClick: () => ask(() => leave.mutate()) }
    : { component: 'a' as const, href: signInAddress(afterLogin), onClick: forgetSignedOut }
  return (
    <>
      {question}
      {isIconOnly ? (
        <Tooltip label={leave.isError ? leave.error.message : label} position="right">
          <ActionIcon {...action} variant="subtle" color="gray" size={40} aria-label={label}>
            <Icon size={20} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button
          {...action}
          variant="default"
          size={size}
          leftSection={<Icon size={16} aria-hidden="true" />}
          title={leave.isError ? leave.error.message : undefined}
        >
          {leave.isError ? 'Logout failed: try again' : label}
        </Button>
      )}
    </>
  )
}
