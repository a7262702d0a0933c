import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { definitions } from '#domain/features/definitions.ts'
import type { RemovedFeature } from '#domain/features/history.schema.ts'
import { counted, formatNumber } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import { removedFeaturesQuery, restoreRemovedFeature } from '#web/api/features.api.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { EmptyState, LoadingRows } from '#web/ui/states.tsx'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { useUndoChange } from '#web/workspace/use-undo-change.ts'
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
  const removed = useInfiniteQuery(removedFeaturesQuery(mapId))
  const putting = useMutation({
    mutationFn: ({ id }: RemovedFeature) => restoreRemovedFeature(mapId, id),
    onSuccess({ id, version }, { name }) {
      followChanges(client, [{ mapId, part: 'feature', id, version }])
      showSuccess(`‘${name || 'Untitled'}’ restored`)
      onShow(id)
    },
    onError: (error, { name }) => showError(`Could not restore ‘${name || 'Untitled'}’`, error),
  })
  const undoing = useUndoChange(mapId, 'Change undone')
  const failure = loadFailure(removed, 'Could not load removed records.')
  if (failure) return failure
  const items = removed.data?.pages.flatMap((page) => page.items)
  if (!items) return <LoadingRows label="Loading removed records" />
  return (
    <>
      {items.length === 0 ? (
        <EmptyState text="No records removed in the last 30 days." />
      ) : (
        <p className={classes.none}>You can restore records with their history for 30 days.</p>
      )}
      <ul className={classes.list}>
        {items.map((item) => {
          const { id, kind, name, removedAt, removedBy, keptUntil, changeId, others } = item
          return (
            <li key={id}>
              <div>
                <strong>{name || 'Untitled'}</strong>
                <p>
                  {definitions[kind]?.label.one ?? 'Record'}, removed by {removedBy}{' '}
                  <time dateTime={removedAt} title={exactTime(removedAt)}>
                    {relativeTime(removedAt)}
                  </time>
                  ; can be restored until <time dateTime={keptUntil}>{exactTime(keptUntil)}</time>
                </p>
                {others > 0 && (
                  <p>
                    It was removed together with changes of {counted(others, 'other record')}, as in a merge.
                    Restoring it alone leaves them as they are.
                  </p>
                )}
              </div>
              {others > 0 && (
                <SmallButton
                  size="compact-sm"
                  loading={undoing.isPending && undoing.variables === changeId}
                  onClick={() => undoing.mutate(changeId)}
                >
                  Undo in all {formatNumber(others + 1)} records
                </SmallButton>
              )}
              <SmallButton
                size="compact-sm"
                aria-label={`Restore ${name || 'Untitled'}`}
                loading={putting.isPending && putting.variables.id === id}
                onClick={() => putting.mutate(item)}
              >
                Restore
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
    </>
  )
}
