import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '#web/api/use-session.ts'

/** To the tokens of the person, for programs. */
export function ApiTokensLink() {
  const { status } = useSession()
  if (status !== 'authenticated') return null
  return (
    <Button component={Link} to="/config/tokens" variant="subtle" color="gray" size="compact-sm">
      API tokens
    </Button>
  )
}
