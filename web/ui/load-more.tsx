import { Button } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import classes from './load-more.module.css'

type LoadMoreProps = { hasMore: boolean; isLoading: boolean; error: Error | null; onMore(): void }

/** Loads more when it becomes visible; after a failure, only on a click. */
export function LoadMore({ hasMore, isLoading, error, onMore }: LoadMoreProps) {
  const { ref, entry } = useIntersection({ rootMargin: '600px' })
  const more = useEffectEvent(onMore)
  const isInView = entry?.isIntersecting === true
  const hasFailed = error !== null
  useEffect(() => {
    if (isInView && hasMore && !isLoading && !hasFailed) more()
  }, [isInView, hasMore, isLoading, hasFailed])
  return (
    <div ref={ref} className={classes.more}>
      {hasMore && (
        <Button variant="default" loading={isLoading} onClick={onMore}>
          {hasFailed ? 'Loading failed. Try again' : 'Show more'}
        </Button>
      )}
    </div>
  )
}
