import { useInfiniteQuery } from '@tanstack/react-query'
import { activityQuery } from '#web/api/activity.api.ts'

/** How much others did on the map since the person last looked; 0 where that is not known. */
export function useUnreadCount(mapId: string | undefined): number {
  const { data } = useInfiniteQuery({ ...activityQuery(mapId ?? ''), enabled: mapId !== undefined })
  return data?.pages[0]?.unread ?? 0
}
