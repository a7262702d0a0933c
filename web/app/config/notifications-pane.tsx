import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { ActivityList } from '#web/activity/activity-list.tsx'
import { activityQuery, markActivityRead } from '#web/api/activity.api.ts'
import { mapSummaryQuery } from '#web/api/maps.api.ts'
import { EmptyState, NoPermission } from '#web/ui/states.tsx'
import classes from './notifications-pane.module.css'

export function NotificationsPane({ mapId, isStaff }: { mapId: string | undefined; isStaff: boolean }) {
  if (mapId === undefined) return <EmptyState text="Select a client to see its notifications." />
  if (!isStaff) return <NoPermission text="Only staff of this client can see notifications." />
  return <Notifications key={mapId} mapId={mapId} />
}

function Notifications({ mapId }: { mapId: string }) {
  const queryClient = useQueryClient()
  const { data: summary } = useQuery(mapSummaryQuery(mapId))
  const unread = useUnreadCount(mapId)
  const read = useMutation({
    mutationFn: (at: string) => markActivityRead(mapId, at),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: activityQuery(mapId).queryKey }),
  })
  const newest = useEffectEvent(() => {
    const firstPage = queryClient.getQueryData(activityQuery(mapId).queryKey)?.pages[0]
    return firstPage && firstPage.unread > 0 ? firstPage.items[0]?.at : undefined
  })
  // On unmount, so that new activities stay marked while they are visible.
  useEffect(
    () => () => {
      const at = newest()
      if (at !== undefined) read.mutate(at)
    },
    [read.mutate],
  )
  return (
    <>
      {summary?.client && <p className={classes.client}>{summary.client.name}</p>}
      {unread > 0 && (
        <button
          type="button"
          className={classes.read}
          onClick={() => {
            const at = newest()
            if (at !== undefined) read.mutate(at)
          }}
        >
          Mark all as read
        </button>
      )}
      <ActivityList mapId={mapId} />
    </>
  )
}

export function useUnreadCount(mapId: string | undefined): number {
  const { data } = useInfiniteQuery({ ...activityQuery(mapId ?? ''), enabled: mapId !== undefined })
  return data?.pages[0]?.unread ?? 0
}
