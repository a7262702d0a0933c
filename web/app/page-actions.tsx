import { ActionIcon, Button } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useSession } from '#web/api/use-session.ts'
import { AccountButton } from '#web/identity/account-button.tsx'
import { WhoIsIn } from '#web/identity/who-is-in.tsx'
import { Guard } from '#web/ui/guard.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { RoomFor } from '#web/ui/room-for.tsx'
import classes from './page-actions.module.css'
import type { PageMenuProps } from './page-menu.tsx'

const PageMenu = lazyPart(() => import('./page-menu.tsx').then((module) => module.PageMenu))

/** The same on every screen: other pages, theme, help and account, in a sidebar, its rail or the head of a phone. */
export function PageActions(props: PageMenuProps) {
  const { shape } = props
  const { status } = useSession()
  const menu = (
    <Guard what="The menu" layout="inline" waiting={roomForMenu(shape)}>
      <PageMenu {...props} />
    </Guard>
  )
  if (shape === 'footer')
    return (
      <footer className={classes.footer}>
        <WhoIsIn />
        <div className={classes.line}>
          <AccountButton />
          {menu}
        </div>
      </footer>
    )
  if (shape === 'rail')
    return (
      <div className={classes.rail}>
        {menu}
        <AccountButton isIconOnly />
      </div>
    )
  return (
    <div className={classes.phone}>
      {(status === 'not-authenticated' || status === 'error') && <AccountButton isQuiet />}
      {menu}
    </div>
  )
}

const roomForMenu = (shape: PageMenuProps['shape']) => (
  <RoomFor>
    {shape === 'footer' ? (
      <Button size="xs" leftSection={<IconDots size={16} />}>
        More
      </Button>
    ) : (
      <ActionIcon size={shape === 'rail' ? 40 : 44} />
    )}
  </RoomFor>
)
