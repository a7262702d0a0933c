import { Button, CopyButton, Group, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { followChanges } from '#web/api/changes.ts'
import { calendarQuery, makeCalendar, switchCalendarOff } from '#web/api/maintenance.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { exactTime } from '#web/ui/relative-time.ts'

type CalendarDialogProps = { mapId: string; isOpen: boolean; onClose(): void }

export function CalendarDialog({ mapId, isOpen, onClose }: CalendarDialogProps) {
  return (
    <Dialog title="Calendar of due maintenance" isOpen={isOpen} onClose={onClose}>
      {() => <Calendar mapId={mapId} />}
    </Dialog>
  )
}

function Calendar({ mapId }: { mapId: string }) {
  const client = useQueryClient()
  const calendar = useQuery(calendarQuery(mapId))
  const [address, setAddress] = useState<string | null>(null)
  const follow = () => followChanges(client, [{ mapId, part: 'calendar', id: null, version: null }])
  const making = useMutation({
    mutationFn: () => makeCalendar(mapId),
    onSuccess(made) {
      setAddress(made.address)
      follow()
    },
  })
  const ending = useMutation({
    mutationFn: () => switchCalendarOff(mapId),
    onSuccess() {
      setAddress(null)
      follow()
    },
  })
  const failure = loadFailure(calendar, 'The calendar could not be loaded.')
  if (failure) return failure
  if (!calendar.data) return <Text c="dimmed">Loading…</Text>
  const { sharedAt, sharedBy } = calendar.data
  const error = making.error ?? ending.error
  const make = (label: string) => (
    <Button
      variant={sharedAt === null ? 'filled' : 'default'}
      loading={making.isPending}
      onClick={() => making.mutate()}
    >
      {label}
    </Button>
  )
  return (
    <>
      <Text mb="md">
        A calendar program that knows the address shows what is due, and follows each change. Whoever has the
        address reads the names of the assets and what is to be done, without signing in.
      </Text>
      {address !== null ? (
        <>
          <TextInput
            label="Address"
            description="Shown this once: copy it now. A new one can be made at any time."
            value={address}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
          <Group mt="xs">
            <CopyButton value={address}>
              {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy the address'}</Button>}
            </CopyButton>
          </Group>
        </>
      ) : (
        <Text role="status">
          {sharedAt === null
            ? 'There is no address yet.'
            : `An address was made by ${sharedBy ?? 'somebody'}, ${exactTime(sharedAt)}. It is not shown again.`}
        </Text>
      )}
      {error && (
        <Text c="var(--mantine-color-error)" role="alert" mt="md">
          Nothing was changed: {error.message}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        {sharedAt === null ? (
          make('Make an address')
        ) : (
          <>
            <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
              Switch the calendar off
            </Button>
            {make('Make a new address')}
          </>
        )}
      </Group>
      {sharedAt !== null && (
        <Text c="dimmed" size="sm" mt="xs" ta="end">
          Either way the present address leads nowhere any more.
        </Text>
      )}
    </>
  )
}
