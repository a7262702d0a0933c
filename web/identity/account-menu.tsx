import { ActionIcon, Button, Popover } from '@mantine/core'
import { IconLogout2, IconUserCircle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import classes from './account-menu.module.css'
import { useLogout } from './use-sign-out.ts'
import { ApiTokensLink, WhoIsIn } from './who-is-in.tsx'

export function AccountMenu() {
  const logout = useLogout()
  const { failure } = logout
  const [isOpen, setIsOpen] = useState(false)
  // Signing out closed the menu; reopen it to show the error.
  useEffect(() => {
    if (failure !== undefined) setIsOpen(true)
  }, [failure])
  return (
    <>
      {logout.dialog}
      <Popover position="bottom-end" withinPortal trapFocus returnFocus opened={isOpen} onChange={setIsOpen}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={44}
            aria-label="Account"
            loading={logout.isGoing}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconUserCircle size={24} />
          </ActionIcon>
        </Popover.Target>
        <Popover.Dropdown className={classes.menu}>
          <WhoIsIn />
          <ApiTokensLink />
          {failure !== undefined && <p role="alert">{failure}</p>}
          <Button
            variant="default"
            fullWidth
            leftSection={<IconLogout2 size={16} aria-hidden="true" />}
            onClick={() => {
              setIsOpen(false)
              logout.ask()
            }}
          >
            {failure === undefined ? 'Logout' : 'Logout failed: try again'}
          </Button>
        </Popover.Dropdown>
      </Popover>
    </>
  )
}
