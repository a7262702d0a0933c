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
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo, useState } from 'react'
import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import type { Client } from '#domain/clients/client.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import { archiveClient, changeClient, clientsKey, restoreClient } from '#web/api/clients.api.ts'
import { RequestError } from '#web/api/http.ts'
import { useMay } from '#web/api/use-session.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { exactTime, localDay, relativeTime } from '#web/ui/relative-time.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import classes from './client-card.module.css'
import { ClientForm, type ClientValues } from './client-form.tsx'

/** Memoized, as the page may have two thousand of them. */
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
          {location || 'No location'}
        </p>
        <p className={classes.facts}>
          {counted(properties, 'property', 'properties')} · Last updated{' '}
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
            aria-label={`More actions for ${client.name}`}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isArchived && (
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden="true" />} onClick={editing.open}>
              Edit
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
    <div className={classes.skeletons} role="status" aria-label="Loading clients">
      {[1, 2, 3, 4, 5, 6].map((card) => (
        <Skeleton key={card} height={268} radius={8} />
      ))}
    </div>
  )
}

const basisOf = ({ id, version }: Client): UndoBasis => ({ mapId: id, of: 'archiving', version })

function useArchiving(client: Client) {
  const queryClient = useQueryClient()
  const follow = ({ id, version }: Client) =>
    followChanges(queryClient, [{ mapId: id, part: 'everything', id, version }])
  const onError = (error: Error) => {
    showError(`Could not change ${client.name}`, error)
    void queryClient.invalidateQueries({ queryKey: clientsKey })
  }
  const restoring = useMutation({
    mutationFn: () => restoreClient(client),
    onSuccess(restored) {
      follow(restored)
      const undo = () => archiving.mutate()
      showSuccess(`${client.name} restored`, { dependsOn: basisOf(restored), undo })
    },
    onError,
  })
  const archiving = useMutation({
    mutationFn: () => archiveClient(client),
    onSuccess(archived) {
      follow(archived)
      const undo = () => restoring.mutate()
      showSuccess(`${client.name} archived`, { dependsOn: basisOf(archived), undo })
    },
    onError,
  })
  return {
    isPending: archiving.isPending || restoring.isPending,
    archive: () => archiving.mutate(),
    restore: () => restoring.mutate(),
  }
}

type EditClientProps = { client: Client; isOpen: boolean; onClose(): void }

function EditClient({ client, isOpen, onClose }: EditClientProps) {
  return (
    <Dialog title="Edit client" isOpen={isOpen} onClose={onClose}>
      {() => <ChangeForm client={client} onClose={onClose} />}
    </Dialog>
  )
}

function ChangeForm({ client, onClose }: { client: Client; onClose(): void }) {
  const queryClient = useQueryClient()
  // Live updates load newer versions while the user types: the version at the start counts.
  const [{ version: openedVersion }] = useState(client)
  const changing = useMutation({
    mutationFn: ({ change, version }: { change: ClientValues; version: number }) =>
      changeClient({ ...client, version }, change),
    onSuccess: ({ id, name, version }) => {
      followChanges(queryClient, [{ mapId: id, part: 'client', id, version }])
      onClose()
      showSuccess(`${name} saved`)
    },
    onError: () => queryClient.invalidateQueries({ queryKey: clientsKey }),
  })
  const isOvertaken = changing.error instanceof RequestError && changing.error.status === 412
  return (
    <ClientForm
      initial={{ name: client.name, location: client.location, timeZone: client.timeZone }}
      submitLabel="Save"
      isPending={changing.isPending}
      error={
        isOvertaken
          ? new Error(
              `Someone else changed this client to ‘${client.name}’, ${client.location}. Save again to overwrite.`,
            )
          : changing.error
      }
      onSubmit={(change) =>
        changing.mutate({ change, version: isOvertaken ? client.version : openedVersion })
      }
      onCancel={onClose}
    />
  )
}
