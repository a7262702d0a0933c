import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { definitions } from '#domain/features/definitions.ts'
import type { RemovedFeature } from '#domain/features/history.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { removedFeaturesQuery, restoreRemovedFeature } from '#web/api/features.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import classes from './removed-records.module.css'

type RemovedRecordsProps = { mapId: string; isOpen: boolean; onClose(): void; onShow(id: string): void }

export function RemovedRecords({ isOpen, onClose, ...props }: RemovedRecordsProps) {
  return (
    <Dialog title="Recently removed" size="lg" isOpen={isOpen} onClose={onClose}>
      {() => <RemovedList {...props} />}
    </Dialog>
  )
}

function RemovedList({ mapId, onShow }: Pick<RemovedRecordsProps, 'mapId' | 'onShow'>) {
  const client = useQueryClient()
  const boxRef = useRef<HTMLDivElement>(null)
  const removed = useInfiniteQuery(removedFeaturesQuery(mapId))
  const putting = useMutation({
    mutationFn: ({ id }: RemovedFeature) => restoreRemovedFeature(mapId, id),
    onSuccess({ id, version }, { name }) {
      followChanges(client, [{ mapId, part: 'feature', id, version }])
      showSuccess(`‘${name || 'Untitled'}’ is back`)
      onShow(id)
      // The focused button disappears, and would move the focus out of the dialog.
      boxRef.current?.focus()
    },
    onError: (error, { name }) => showError(`‘${name || 'Untitled'}’ was not put back`, error),
  })
  const failure = loadFailure(removed, 'The removed records could not be loaded.')
  if (failure) return failure
  const items = removed.data?.pages.flatMap((page) => page.items)
  if (!items) return <p className={classes.none}>Loading…</p>
  return (
    <div ref={boxRef} className={classes.box} tabIndex={-1}>
      <p className={classes.none}>
        {items.length === 0
          ? 'Nothing was removed in the last 30 days.'
          : 'What is removed is kept for 30 days, with its history.'}
      </p>
      <ul className={classes.list}>
        {items.map((item) => {
          const { id, kind, name, removedAt, removedBy, keptUntil } = item
          return (
            <li key={id}>
              <div>
                <strong>{name || 'Untitled'}</strong>
                <p>
                  {definitions[kind]?.label.one ?? 'Item'}, removed by {removedBy}{' '}
                  <time dateTime={removedAt} title={exactTime(removedAt)}>
                    {relativeTime(removedAt)}
                  </time>
                  ; kept until <time dateTime={keptUntil}>{exactTime(keptUntil)}</time>
                </p>
              </div>
              <SmallButton
                size="compact-sm"
                aria-label={`Put back ${name || 'Untitled'}`}
                loading={putting.isPending && putting.variables.id === id}
                onClick={() => putting.mutate(item)}
              >
                Put back
              </SmallButton>
            </li>
          )
        })}
      </ul>
      <LoadMore
        hasMore={removed.hasNextPage}
        isLoading={removed.isFetchingNextPage}
        error={removed.isFetchNextPageError ? removed.error : null}
        onMore={() => void removed.fetchNextPage()}
      />
    </div>
  )
}
