import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { FeatureType } from '#domain/features/filters.ts'
import { severityLabels } from '#domain/incidents/incident-types.ts'
import { workStateLabels } from '#domain/incidents/work-states.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import type { WorkItem } from '#domain/work/work.schema.ts'
import { type WorkView, workViewLabels, workViews } from '#domain/work/work-views.ts'
import { useMay } from '#web/api/use-session.ts'
import { workQuery } from '#web/api/work.api.ts'
import { TypeIcon } from '#web/features/type-icon.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { calendarDay, exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { EmptyState, LoadingRows, NoPermission } from '#web/ui/states.tsx'
import classes from './work-panel.module.css'

type WorkPanelProps = { mapId: string; view: WorkView }

/** Open incidents and due maintenance. Each view has a link of its own. */
export function WorkPanel(props: WorkPanelProps) {
  const isStaff = useMay('staff', props.mapId)
  if (!isStaff) return <NoPermission text="Only staff of this client can see work." />
  return <Work {...props} />
}

function Work({ mapId, view }: WorkPanelProps) {
  const list = useQuery(workQuery(mapId, view))
  const failure = loadFailure(list, 'Could not load work.')
  const { items = [], total = 0 } = list.data ?? {}
  return (
    <div className={classes.panel}>
      <nav className={classes.views} aria-label="Views of work">
        {workViews.map((one) => (
          <Link
            key={one}
            to="/config/map/$mapId/$section"
            params={{ mapId, section: 'work' }}
            search={one === 'all' ? {} : { view: one }}
            aria-current={one === view ? 'page' : undefined}
          >
            {workViewLabels[one]}
          </Link>
        ))}
      </nav>
      {failure}
      {list.isPending && <LoadingRows label="Loading work" />}
      {list.data && (
        <p className={classes.count} role="status">
          {counted(total, 'task')}
          {total > items.length && `, the first ${formatNumber(items.length)} are shown`}
        </p>
      )}
      {list.data && items.length === 0 && <EmptyState text={emptyTexts[view]} />}
      {items.length > 0 && (
        <ul className={classes.rows} aria-label="Work">
          {items.map((item) => (
            <li key={item.id}>
              <Row mapId={mapId} item={item} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const emptyTexts: Record<WorkView, string> = {
  all: 'No open work. Incidents appear here until they are resolved.',
  mine: 'No open work is assigned to you.',
  unassigned: 'All open incidents are assigned.',
  overdue: 'No work is overdue.',
}

function Row({ mapId, item }: { mapId: string; item: WorkItem }) {
  const { id, kind, title, description, type, severity, state, assignee, due, isOverdue, since } = item
  const isIncident = kind === 'incident'
  return (
    <Link
      to="/config/map/$mapId/$section"
      params={{ mapId, section: 'features' }}
      search={{ kind, select: id }}
    >
      <TypeIcon kind={kind} type={type as FeatureType | null} size={24} />
      <span className={classes.words}>
        <b>{title || 'Untitled'}</b>
        {description !== '' && <span className={classes.description}>{description}</span>}
        <span className={classes.meta}>
          {isIncident
            ? [
                state === null ? 'Not tracked' : workStateLabels[state],
                assignee ?? 'Unassigned',
                severity === null ? null : `${severityLabels[severity]} severity`,
              ]
                .filter(Boolean)
                .join(' · ')
            : 'Maintenance'}
          {since !== null && (
            <>
              {' · '}
              <time dateTime={since} title={exactTime(since)}>
                {relativeTime(since)}
              </time>
            </>
          )}
        </span>
      </span>
      {due !== null && (
        <span className={classes.due} data-overdue={isOverdue || undefined}>
          {isOverdue ? 'Overdue since' : 'Due'} <time dateTime={due}>{calendarDay(due)}</time>
        </span>
      )}
    </Link>
  )
}
