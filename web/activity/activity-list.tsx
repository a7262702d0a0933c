import { Button, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ActivityItem } from '#domain/activity/activity.schema.ts'
import { activityRule } from '#domain/activity/activity-rules.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { activityQuery } from '#web/api/activity.api.ts'
import { undoBulkChange } from '#web/api/bulk-changes.api.ts'
import { followChanges } from '#web/api/changes.ts'
import { undoChange } from '#web/api/features.api.ts'
import { useMay } from '#web/api/use-session.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { dayInWords, exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { EmptyState, LoadingRows } from '#web/ui/states.tsx'
import { TimeZoneNote } from '#web/ui/time-zone-note.tsx'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import classes from './activity-list.module.css'
import { activityText } from './activity-text.ts'

export function ActivityList({ mapId, limit }: { mapId: string; limit?: number }) {
  const activity = useInfiniteQuery(activityQuery(mapId))
  const mayEdit = useMay('editor', mapId)
  if (activity.isPending)
    return (
      <div className={classes.skeleton}>
        <LoadingRows label="Loading activity" />
      </div>
    )
  if (activity.isError && !activity.data)
    return (
      <ErrorState
        title="Could not load the activity."
        error={activity.error}
        onRetry={() => activity.refetch()}
      />
    )
  const all = activity.data.pages.flatMap((page) => page.items)
  const items = all.slice(0, limit)
  if (items.length === 0) return <EmptyState text="No activity yet" />
  return (
    <>
      {[...Map.groupBy(items, ({ at }) => dayInWords(at))].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <p className={classes.day}>{day}</p>
          <ol className={classes.list}>
            {ofDay.map((item) => (
              <ActivityRow key={item.id} mapId={mapId} item={item}>
                {mayEdit && isUndoable(item, all) && (
                  <UndoChange mapId={mapId} item={item} label={isUndo(item, all) ? 'Redo' : 'Undo'} />
                )}
              </ActivityRow>
            ))}
          </ol>
        </section>
      ))}
      {limit === undefined && <TimeZoneNote m={16} />}
      {limit === undefined && activity.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          m={16}
          loading={activity.isFetchingNextPage}
          onClick={() => void activity.fetchNextPage()}
        >
          Show earlier
        </Button>
      )}
    </>
  )
}

type ActivityRowProps = { mapId: string; item: ActivityItem; children: ReactNode }

function ActivityRow({ mapId, item, children }: ActivityRowProps) {
  return (
    <li className={classes.item} data-unread={item.isUnread || undefined}>
      <p className={classes.what}>
        <Link className={classes.link} {...activityLink(mapId, item)}>
          {item.isUnread && <VisuallyHidden component="span">New: </VisuallyHidden>}
          <b>{item.actor ?? 'The system'}</b> {activityText(item)}
        </Link>
      </p>
      <div className={classes.foot}>
        <time className={classes.when} dateTime={item.at} title={exactTime(item.at)}>
          {relativeTime(item.at)}
        </time>
        {children}
      </div>
    </li>
  )
}

/** A change of one record ends with the next change of that record. The server checks again. */
function isUndoable({ id, action, subject, details }: ActivityItem, all: readonly ActivityItem[]): boolean {
  if (typeof details.changeId !== 'string' || all.some((one) => one.details.undoes === details.changeId))
    return false
  const { subject: type } = activityRule(action)
  if (type !== 'feature') return action.startsWith('features.')
  const last = all.find((one) => one.subject === subject && activityRule(one.action).part !== 'files')
  return last?.id === id
}

/** An undo of an undo is a change again. */
function isUndo({ details: { undoes } }: ActivityItem, all: readonly ActivityItem[]): boolean {
  if (undoes === undefined) return false
  const undone = all.find(({ details }) => details.changeId === undoes)
  return undone === undefined || !isUndo(undone, all)
}

type UndoChangeProps = { mapId: string; item: ActivityItem; label: 'Undo' | 'Redo' }

function UndoChange({ mapId, item, label }: UndoChangeProps) {
  const client = useQueryClient()
  const changeId = String(item.details.changeId)
  const undoing = useMutation({
    async mutationFn() {
      if (item.action === 'features.bulk-changed') return undoBulkChange(mapId, changeId)
      const { items, kept } = await undoChange(mapId, changeId)
      return { state: 'done', changed: items.length, left: kept.length }
    },
    onSuccess({ state, changed, left }) {
      followChanges(client, [{ mapId, part: 'features', id: null, version: null }])
      const [verb, ing, done] =
        label === 'Undo' ? ['undo', 'Undoing', 'undone'] : ['redo', 'Redoing', 'redone']
      if (state === 'running') showSuccess(`${ing} the change`)
      else if (changed === 0)
        showError(`Nothing to ${verb}`, new Error('All records have been changed since.'))
      else
        showSuccess(
          `Change to ${counted(changed, 'record')} ${done}${left > 0 ? `; ${formatNumber(left)} not ${done}, changed since` : ''}`,
        )
    },
    onError: (error) => showError(`Could not ${label.toLowerCase()} the change`, error),
  })
  return (
    <Button
      className={classes.undo}
      variant="subtle"
      size="compact-xs"
      aria-label={`${label}: ${activityText(item)}`}
      loading={undoing.isPending}
      onClick={() => undoing.mutate()}
    >
      {label}
    </Button>
  )
}

/** Filters that the records of a bulk change match. Those of an undone one have their earlier status. */
function likeChanged({ kinds, status, undoes }: ActivityItem['details']): Record<string, unknown> {
  const [kind, ...others] = Object.keys((kinds ?? {}) as object)
  if (others.length > 0) return {}
  return { kind, status: typeof status === 'string' && undoes === undefined ? status : undefined }
}

function activityLink(mapId: string, { action, subject, details }: ActivityItem): LinkProps {
  const sectionOf = (section: string, search: Record<string, unknown> = {}) =>
    ({ to: '/config/map/$mapId/$section', params: { mapId, section }, search }) as LinkProps
  const { part, subject: type, isGone } = activityRule(action)
  const current = isGone ? undefined : (subject ?? undefined)
  switch (part) {
    case 'status':
    case 'maintenance':
    case 'feature':
    case 'files':
      return sectionOf('features', { select: subject ?? undefined })
    case 'features':
    case 'imports':
      return sectionOf('features', type === 'feature' ? { select: current } : likeChanged(details))
    case 'configuration':
      return sectionOf('configuration', { versions: 'open' })
    case 'webhooks':
      return sectionOf('webhooks', { webhook: current })
    case 'drawings':
      return { to: '/webgl/$mapId', params: { mapId } } as LinkProps
    default:
      return sectionOf('map')
  }
}
