import { ActionIcon, Menu, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconArchive,
  IconArchiveOff,
  IconBuilding,
  IconDots,
  IconMapPin,
  IconPencil,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { Client } from '#domain/clients/client.schema.ts'
import { useMay } from '#web/api/use-session.ts'
import { formatNumber } from '#web/ui/measures.ts'
import { exactTime, localDay, relativeTime } from '#web/ui/relative-time.ts'
import classes from './client-card.module.css'
import { EditClient } from './edit-client.tsx'
import { useArchiving } from './use-archiving.ts'

/** One client. The whole card is a link. Memoized, as the page may have two thousand of them. */
export const ClientCard = memo(function ClientCard({ client }: { client: Client }) {
  const { id, name, location, properties, lastUpdated, thumbnail, archivedAt } = client
  const isArchived = archivedAt !== null
  return (
    <li className={classes.card} data-archived={isArchived || undefined}>
      <div className={classes.picture}>
        {thumbnail ? (
          <img src={thumbnail} alt="" loading="lazy" />
        ) : (
          <IconBuilding size={40} stroke={1.5} aria-hidden="true" />
        )}
      </div>
      <div className={classes.text}>
        <h2 className={classes.name}>{name}</h2>
        <p className={classes.location}>
          <IconMapPin size={14} aria-hidden="true" />
          {location || 'No location given'}
        </p>
        <p className={classes.facts}>
          {formatNumber(properties)} {properties === 1 ? 'property' : 'properties'} · Last updated{' '}
          <time dateTime={lastUpdated} title={exactTime(lastUpdated)}>
            {localDay(lastUpdated)}
          </time>
        </p>
        <div className={classes.actions}>
          {isArchived ? (
            <span className={classes.archived}>Archived {relativeTime(archivedAt)}</span>
          ) : (
            <Link
              className={classes.select}
              to="/config/map/$mapId/$section"
              params={{ mapId: id, section: 'map' }}
              aria-label={`Select ${name}`}
            >
              Select
            </Link>
          )}
          <ClientMenu client={client} />
        </div>
      </div>
    </li>
  )
})

export function ClientMenu({ client }: { client: Client }) {
  const [isEditing, editing] = useDisclosure(false)
  const mayChange = useMay('manager', client.id)
  const mayArchive = useMay('administrator')
  const archiving = useArchiving(client)
  if (!mayChange) return null
  const isArchived = client.archivedAt !== null
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon
            className={classes.menu}
            variant="subtle"
            color="gray"
            size={36}
            loading={archiving.isPending}
            aria-label={`More for ${client.name}`}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isArchived && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden="true" />} onClick={editing.open}>
              Rename or relocate
            </Menu.Item>
          )}
          {mayArchive && !isArchived && (
            <Menu.Item
              leftSection={<IconArchive size={16} aria-hidden="true" />}
              onClick={() => archiving.archive()}
            >
              Archive
            </Menu.Item>
          )}
          {mayArchive && isArchived && (
            <Menu.Item
              leftSection={<IconArchiveOff size={16} aria-hidden="true" />}
              onClick={() => archiving.restore()}
            >
              Restore
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <EditClient client={client} isOpen={isEditing} onClose={editing.close} />
    </>
  )
}

export function ClientCardSkeletons() {
  return (
    <div className={classes.skeletons} role="status" aria-label="Loading the clients">
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <Skeleton key={card} height={268} radius={8} />
      ))}
    </div>
  )
}
