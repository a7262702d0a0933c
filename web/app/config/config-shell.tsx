import { ActionIcon } from '@mantine/core'
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { PhoneAccount } from '#web/identity/account-button.tsx'
import { SessionGate } from '#web/identity/session-gate.tsx'
import { useIsPhone } from '#web/ui/device.ts'
import { SideDialog } from '#web/ui/dialog.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { SkipLinks } from '../page-parts.tsx'
import { StaffFrame } from '../staff-frame.tsx'
import classes from './config-shell.module.css'
import { ConfigSidebar } from './config-sidebar.tsx'

export function ConfigShell() {
  return (
    <>
      <SessionGate>
        <Shell />
      </SessionGate>
      <StaffFrame />
    </>
  )
}

function Shell() {
  const isPhone = useIsPhone()
  const { mapId } = useParams({ strict: false })
  const isNarrow = useMediaQuery('(max-width: 1099px)', false, { getInitialValueInEffect: false })
  const [isCollapsed, setIsCollapsed] = useLocalStorage({
    key: `poa.config.sidebar.collapsed${isNarrow ? '.narrow' : ''}`,
    defaultValue: isNarrow,
    getInitialValueInEffect: false,
  })
  return (
    <div className={classes.shell} data-phone={isPhone || undefined}>
      <SkipLinks hasMap={mapId !== undefined} />
      {isPhone ? (
        <PhoneBar />
      ) : (
        <Guard what="The sidebar" layout="inline">
          <ConfigSidebar isCollapsed={isCollapsed} onCollapse={setIsCollapsed} />
        </Guard>
      )}
      <div className={classes.content}>
        <Outlet />
      </div>
    </div>
  )
}

function PhoneBar() {
  const [isOpen, { open, close }] = useDisclosure(false)
  const place = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation closes the menu
  useEffect(close, [place])
  return (
    <>
      <nav className={classes.phoneBar} aria-label="Top">
        <ActionIcon variant="subtle" color="gray" size={44} aria-label="Menu" onClick={open}>
          <IconMenu2 size={22} />
        </ActionIcon>
        <span className={classes.phoneTitle}>POA Land Management</span>
        <PhoneAccount />
      </nav>
      <SideDialog label="Menu" from="left" isOpen={isOpen} onClose={close}>
        {() => <ConfigSidebar isCollapsed={false} onCollapse={close} />}
      </SideDialog>
    </>
  )
}
