import { Button } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { dueLabels, dueWords } from '#domain/maintenance/due.ts'
import { dueMaintenanceQuery } from '#web/api/maintenance.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { loadFailure } from '#web/ui/error-state.tsx'
import { formatNumber } from '#web/ui/measures.ts'
import { CalendarDialog } from './calendar-dialog.tsx'
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
