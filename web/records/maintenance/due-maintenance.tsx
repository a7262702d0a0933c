import { Button, CopyButton, Group, Text, TextInput } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { dueLabels, dueWords } from '#domain/maintenance/due.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import {
  calendarQuery,
  dueMaintenanceQuery,
  makeCalendar,
  switchCalendarOff,
} from '#web/api/maintenance.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { exactTime } from '#web/ui/relative-time.ts'
import { DueDay } from './due-day.tsx'
import classes from './due-maintenance.module.css'

export function DueMaintenance({ mapId }: { mapId: string }) {
  const due = useQuery(dueMaintenanceQuery(mapId))
  const mayShare = useMay('manager', mapId)
  const [isShared, setIsShared] = useState(false)
  const failure = loadFailure(due, 'The maintenance that is due could not be loaded.')
  if (failure) return failure
  if (!due.data) return null
  const { items, ...counts } = due.data
  const inFeatures = { to: '/config/map/$mapId/$section', params: { mapId, section: 'features' } } as const
  const counted = dueWords.filter((word) => counts[word] > 0).reverse()
  return (
    <section className={classes.section} aria-label="Due maintenance">
      <div className={classes.head}>
        <h2>Due maintenance</h2>
        {mayShare && (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconCalendarShare size={16} aria-hidden="true" />}
            onClick={() => setIsShared(true)}
          >
            Calendar
          </Button>
        )}
      </div>
      {items.length === 0 ? (
        <p className={classes.none}>Nothing is due in the next 30 days. The plan of an asset says what is.</p>
      ) : (
        <>
          <ul className={classes.list}>
            {items.map(({ id, name, task, dueOn }) => (
              <li key={id}>
                <Link {...inFeatures} search={{ select: id }}>
                  <span>
                    <b>{name || 'Untitled'}</b>
                    {task !== null && <> – {task}</>}
                  </span>
                  <DueDay day={dueOn} />
                </Link>
              </li>
            ))}
          </ul>
          <p className={classes.counts}>
            {counted.map((word) => (
              <Link key={word} {...inFeatures} search={{ kind: 'asset', due: word }}>
                {dueLabels[word]}: {formatNumber(counts[word])}
              </Link>
            ))}
          </p>
        </>
      )}
      <CalendarDialog mapId={mapId} isOpen={isShared} onClose={() => setIsShared(false)} />
    </section>
  )
}

type CalendarDialogProps = { mapId: string; isOpen: boolean; onClose(): void }

function CalendarDialog({ mapId, isOpen, onClose }: CalendarDialogProps) {
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
