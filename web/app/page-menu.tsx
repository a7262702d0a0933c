import {
  ActionIcon,
  Button,
  Menu,
  type MenuItemProps,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import {
  IconDevices,
  IconDots,
  IconKey,
  IconKeyboard,
  IconLogout2,
  IconMail,
  IconMap2,
  IconMoon,
  IconPrinter,
  IconSettings,
  IconStack2,
  IconSun,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { sampleMapId } from '#domain/clients/reserved-maps.ts'
import { settingsQuery } from '#web/api/maps.api.ts'
import { useMay, useSession } from '#web/api/use-session.ts'
import { useSignOutEverywhere } from '#web/identity/sign-out-everywhere.tsx'
import { useLogout } from '#web/identity/use-sign-out.ts'
import { WhoIsIn } from '#web/identity/who-is-in.tsx'
import { useHasFinger, useIsPhone } from '#web/ui/device.ts'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { printPage } from '#web/ui/printing.ts'
import { tip } from '#web/ui/tips.tsx'

const SubscribeDialog = lazyPart(() =>
  import('#web/reports/get-updates.tsx').then((module) => module.SubscribeDialog),
)

/** Other menus are named 'More', too. */
const name = 'More pages and settings'

export type PageMenuProps = {
  mapId: string | undefined
  here: 'map' | 'viewer' | 'configuration'
  shape: 'footer' | 'rail' | 'phone'
  onHelp(): void
}

export function PageMenu({ mapId, here, shape, onHelp }: PageMenuProps) {
  const isStaff = useMay('staff', mapId)
  const isAdministrator = useMay('administrator')
  const isIn = useSession().status === 'authenticated'
  const isPhone = useIsPhone()
  const hasFinger = useHasFinger()
  const isDark = useComputedColorScheme('light') === 'dark'
  const { setColorScheme } = useMantineColorScheme()
  const everywhere = useSignOutEverywhere()
  const logout = useLogout()
  const { failure } = logout
  const [isOpen, setIsOpen] = useState(false)
  const [isSubscribing, setIsSubscribing] = useState(false)
  const sendsMail = useQuery({ ...settingsQuery, enabled: here === 'map' }).data?.sendsMail ?? false
  // Logging out closed the menu; reopen it to show the error.
  useEffect(() => {
    if (failure !== undefined) setIsOpen(true)
  }, [failure])
  const mapPart = mapId === undefined ? '' : `/${mapId}`
  const pages = [
    { key: 'map', label: 'Public map', to: mapPart && `/map${mapPart}`, Icon: IconMap2, isOffered: true },
    {
      key: 'viewer',
      label: 'Viewer',
      to: `/webgl${mapPart}`,
      Icon: IconStack2,
      // Without a client it shows sample data.
      isOffered: here !== 'configuration' || mapId !== undefined,
    },
    {
      key: 'configuration',
      label: 'Configuration',
      to: `/config/map${mapPart}`,
      Icon: IconSettings,
      isOffered: isStaff,
    },
  ].filter(({ key, isOffered }) => isOffered && key !== here)
  return (
    <>
      {everywhere.dialog}
      {logout.dialog}
      {isSubscribing && mapId !== undefined && (
        <Guard what="The form" layout="dialog" onClose={() => setIsSubscribing(false)}>
          <SubscribeDialog
            mapId={mapId}
            about={{ topic: 'map' }}
            name="this map"
            onClose={() => setIsSubscribing(false)}
          />
        </Guard>
      )}
      <Menu
        opened={isOpen}
        onChange={setIsOpen}
        position={shape === 'phone' ? 'bottom-end' : shape === 'rail' ? 'right-end' : 'top-end'}
        withinPortal
        returnFocus
      >
        <Menu.Target>
          {shape === 'footer' ? (
            <Button
              variant="default"
              size="xs"
              aria-label={name}
              leftSection={<IconDots size={16} aria-hidden="true" />}
            >
              More
            </Button>
          ) : (
            <ActionIcon
              {...(shape === 'rail' && tip(name, 'right'))}
              variant="subtle"
              color="gray"
              size={shape === 'rail' ? 40 : 44}
              aria-label={name}
              loading={logout.isGoing}
            >
              <IconDots size={20} />
            </ActionIcon>
          )}
        </Menu.Target>
        <Menu.Dropdown miw={210} maw={280} mah="calc(100dvh - 4rem)" style={{ overflowY: 'auto' }}>
          {pages.map(({ key, label, to, Icon }) => (
            <Menu.Item key={key} {...iconed(Icon)} component={Link} to={to || '/'}>
              {label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {sendsMail && mapId !== undefined && mapId !== sampleMapId && (
            <Menu.Item {...iconed(IconMail)} onClick={() => setIsSubscribing(true)}>
              Get updates about this map
            </Menu.Item>
          )}
          <Menu.Item
            {...iconed(isDark ? IconSun : IconMoon)}
            onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
          >
            {isDark ? 'Light theme' : 'Dark theme'}
          </Menu.Item>
          <Menu.Item {...iconed(IconPrinter)} onClick={() => void printPage()}>
            Print this page
          </Menu.Item>
          {!hasFinger && (
            <Menu.Item {...iconed(IconKeyboard)} onClick={onHelp}>
              Keyboard shortcuts
            </Menu.Item>
          )}
          {isIn && (
            <>
              <Menu.Divider />
              {shape !== 'footer' && (
                <Menu.Label>
                  <WhoIsIn />
                </Menu.Label>
              )}
              <Menu.Item {...iconed(IconKey)} component={Link} to="/config/tokens">
                Your tokens
              </Menu.Item>
              {isAdministrator && (
                <Menu.Item {...iconed(IconUsers)} component={Link} to="/config/people">
                  People
                </Menu.Item>
              )}
              <Menu.Item {...iconed(IconDevices)} onClick={everywhere.ask}>
                Sign out everywhere
              </Menu.Item>
              {isPhone && (
                <Menu.Item {...iconed(IconLogout2)} onClick={logout.ask}>
                  {failure === undefined ? 'Logout' : 'Logout failed: try again'}
                </Menu.Item>
              )}
              {failure !== undefined && (
                <Menu.Label role="alert" c="var(--mantine-color-error)">
                  {failure}
                </Menu.Label>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

const iconed = (Icon: TablerIcon): Pick<MenuItemProps, 'leftSection'> => ({
  leftSection: <Icon size={16} aria-hidden="true" />,
})
