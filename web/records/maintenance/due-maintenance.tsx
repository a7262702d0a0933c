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
import { FormFooter } from '#web/ui/form-frame.tsx'
import { exactTime } from '#web/ui/relative-time.ts'
import { LoadingRows } from '#web/ui/states.tsx'
import { DueDay } from './due-day.tsx'
import classes from './due-maintenance.module.css'

export function DueMaintenance({ mapId }: { mapId: string }) {
  const due = useQuery(dueMaintenanceQuery(mapId))
  const mayShare = useMay('manager', mapId)
  const [isShared, setIsShared] = useState(false)
  const failure = loadFailure(due, 'Could not load due maintenance.')
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
        <p className={classes.none}>
          Nothing due in the next 30 days. Due dates come from the maintenance plans of assets.
        </p>
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
    <Dialog title="Maintenance calendar" isOpen={isOpen} onClose={onClose}>
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
  const failure = loadFailure(calendar, 'Could not load the calendar.')
  if (failure) return failure
  if (!calendar.data) return <LoadingRows label="Loading calendar" rows={1} />
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
        Subscribe to this address in a calendar app to see due maintenance and later changes. Anyone with the
        address can see asset names and tasks without signing in.
      </Text>
      {address !== null ? (
        <>
          <TextInput
            label="Calendar address"
            description="Copy it now: you will not see it again. You can create a new one at any time."
            value={address}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
          <Group mt="xs">
            <CopyButton value={address}>
              {({ copied, copy }) => <Button onClick={copy}>{copied ? 'Copied' : 'Copy address'}</Button>}
            </CopyButton>
          </Group>
        </>
      ) : (
        <Text role="status">
          {sharedAt === null
            ? 'No address yet'
            : `Address created by ${sharedBy ?? 'another user'} on ${exactTime(sharedAt)}. It cannot be shown again.`}
        </Text>
      )}
      {sharedAt !== null && (
        <Text c="dimmed" size="sm" mt="md">
          A new address replaces the current one, which stops working.
        </Text>
      )}
      <FormFooter failure={error && `Not saved: ${error.message}`}>
        {sharedAt === null ? (
          make('Create address')
        ) : (
          <>
            <Button variant="default" loading={ending.isPending} onClick={() => ending.mutate()}>
              Turn off calendar
            </Button>
            {make('Create new address')}
          </>
        )}
      </FormFooter>
    </>
  )
}
