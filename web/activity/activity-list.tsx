import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ActivityItem } from '#domain/activity/activity.schema.ts'
import { activityQuery } from '#web/api/activity.api.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { activityLink } from './activity-link.ts'
import classes from './activity-list.module.css'
import { activityText } from './activity-text.ts'

/** What happened on a map, newest first. `limit` shows only so many, without a way to more. */
export function ActivityList({ mapId, limit }: { mapId: string; limit?: number }) {
  const activity = useInfiniteQuery(activityQuery(mapId))
  if (activity.isPending) return <ActivitySkeleton />
  if (activity.isError && !activity.data)
    return (
      <ErrorState
        title="What happened here could not be loaded."
        error={activity.error}
        onRetry={() => activity.refetch()}
      />
    )
  const items = activity.data.pages.flatMap((page) => page.items).slice(0, limit)
  if (items.length === 0) return <p className={classes.empty}>Nothing has happened on this map yet.</p>
  return (
    <>
      <ol className={classes.list}>
        {items.map((item) => (
          <Happening key={item.id} mapId={mapId} item={item} />
        ))}
      </ol>
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

function Happening({ mapId, item }: { mapId: string; item: ActivityItem }) {
  return (
    <li className={classes.item} data-unread={item.isUnread || undefined}>
      <p className={classes.what}>
        <Link className={classes.link} {...activityLink(mapId, item)}>
          {item.isUnread && <VisuallyHidden component="span">New: </VisuallyHidden>}
          <b>{item.actor ?? 'The system'}</b> {activityText(item)}
        </Link>
      </p>
      <time className={classes.when} dateTime={item.at} title={exactTime(item.at)}>
        {relativeTime(item.at)}
      </time>
    </li>
  )
}

function ActivitySkeleton() {
  return (
    <div className={classes.skeleton} role="status" aria-label="Loading what happened">
      {[1, 2, 3].map((row) => (
        <Skeleton key={row} height={32} />
      ))}
    </div>
  )
}
