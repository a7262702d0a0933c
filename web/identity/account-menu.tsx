import { ActionIcon, Menu } from '@mantine/core'
import { IconLogout2, IconUserCircle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import classes from './account-menu.module.css'
import { useLogout } from './use-sign-out.ts'
import { WhoIsIn } from './who-is-in.tsx'

/** Of whoever is signed in: who that is, and the way out. */
export function AccountMenu() {
  const logout = useLogout()
  const { failure } = logout
  const [isOpen, setIsOpen] = useState(false)
  // It closed when it was pressed, and says now what went wrong.
  useEffect(() => {
    if (failure !== undefined) setIsOpen(true)
  }, [failure])
  return (
    <>
      {logout.question}
      <Menu position="bottom-end" withinPortal opened={isOpen} onChange={setIsOpen}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={44} aria-label="Account" loading={logout.isGoing}>
            <IconUserCircle size={24} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.who}>
            <WhoIsIn />
          </div>
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout2 size={16} aria-hidden="true" />} onClick={logout.ask}>
            {failure === undefined ? 'Logout' : `Logout failed: try again. ${failure}`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
