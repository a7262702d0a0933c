import { Button } from '@mantine/core'
import { IconLogin2, IconLogout2 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { signInAddress, signOut } from '#web/api/session.api.ts'
import { useSession } from '#web/api/use-session.ts'
import { forgetSignedOut, noteSignedOut } from './signed-out.ts'

/** Section 2 of the specification: after login the user is sent here. */
const afterLogin = '/config/map'

type AccountButtonProps = { isIconOnly?: boolean; size?: 'xs' | 'sm' | 'md' }

/** Login, or Logout for whoever is signed in. */
export function AccountButton({ size = 'xs' }: AccountButtonProps) {
  const session = useSession()
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: ({ redirectTo }) => {
      noteSignedOut()
      window.location.assign(redirectTo)
    },
  })
  if (session.status === 'authenticated')
    return (
      <Button
        variant="default"
        size={size}
        leftSection={<IconLogout2 size={16} aria-hidden="true" />}
        loading={leave.isPending || leave.isSuccess}
        title={leave.isError ? leave.error.message : `Signed in as ${session.person.name}`}
        color={leave.isError ? 'red' : undefined}
        onClick={() => leave.mutate()}
      >
        {leave.isError ? 'Logout failed: try again' : 'Logout'}
      </Button>
    )
  return (
    <Button
      component="a"
      href={signInAddress(afterLogin)}
      variant="default"
      size={size}
      leftSection={<IconLogin2 size={16} aria-hidden="true" />}
      onClick={forgetSignedOut}
    >
      Login
    </Button>
  )
}
