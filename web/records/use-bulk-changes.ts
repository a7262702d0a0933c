import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import type { BulkChange, BulkOperation } from '#domain/features/bulk-change.schema.ts'
import { type BulkDescription, countOfKinds, describeBulkChange } from '#domain/features/bulk-change.ts'
import { capitalized, formatNumber } from '#domain/values/wording.ts'
import {
  type BulkTarget,
  bulkChangeQuery,
  cancelBulkChange,
  startBulkChange,
  undoBulkChange,
} from '#web/api/bulk-changes.api.ts'
import { followChanges } from '#web/api/changes.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { nextTurn, type Turn, turns } from '#web/ui/undo-offers.ts'

export type BulkStart = {
  target: BulkTarget
  operation: BulkOperation
  description: BulkDescription
  count: number
}

export type RunningBulk = { sentence: string; change: BulkChange; isCancelling: boolean }

export type StartingBulk = {
  mutate(start: BulkStart): void
  reset(): void
  isPending: boolean
  error: Error | null
}

export function useBulkChanges(mapId: string, onStarted: () => void) {
  const client = useQueryClient()
  const [run, setRun] = useState<{ id: string; description: BulkDescription; after?: Turn | undefined }>()
  const { data: change } = useQuery({
    ...bulkChangeQuery(mapId, run?.id ?? ''),
    enabled: run !== undefined,
  })

  function follow(begun: BulkChange, description: BulkDescription, after?: Turn) {
    client.setQueryData(bulkChangeQuery(mapId, begun.id).queryKey, begun)
    if (begun.state === 'running') setRun({ id: begun.id, description, after })
    else tell(begun, description, after)
  }
  /** `description` is that of the original change, whether it was made, undone or redone. */
  function tell(over: BulkChange, description: BulkDescription, after: Turn | undefined) {
    followChanges(client, [{ mapId, part: 'features', id: null, version: null }])
    const undo = () => undoing.mutate({ id: over.id, description, after: nextTurn(after) })
    const dependsOn: UndoBasis = { mapId, of: 'bulk change', changeId: over.id }
    const message = outcomeOf(over, inTurn(description, after))
    if (over.state === 'failed')
      showError(message, new Error('The change could not be completed. Try again later.'))
    else if (after !== undefined && over.changed === 0)
      showError(`Nothing ${turns[after]}`, new Error('All of these records have changed since then.'))
    else showSuccess(message, over.canUndo ? { dependsOn, undo, after } : undefined)
  }
  const finish = useEffectEvent((over: BulkChange) => {
    if (run) tell(over, run.description, run.after)
    setRun(undefined)
  })
  useEffect(() => {
    if (change && change.state !== 'running') finish(change)
  }, [change])

  const starting = useMutation({
    mutationFn: ({ target, operation, count }: BulkStart) => startBulkChange(mapId, target, operation, count),
    onSuccess(begun, { description }) {
      onStarted()
      follow(begun, description)
    },
  })
  const undoing = useMutation({
    mutationFn: ({ id }: { id: string; description: BulkDescription; after: Turn }) =>
      undoBulkChange(mapId, id),
    onSuccess: (begun, { description, after }) => follow(begun, description, after),
    onError: (error, { after }) => showError(`Could not ${after} the change`, error),
  })
  const cancelling = useMutation({
    mutationFn: (id: string) => cancelBulkChange(mapId, id),
    onSuccess: (over) => client.setQueryData(bulkChangeQuery(mapId, over.id).queryKey, over),
    onError: (error) => showError('Could not cancel the change', error),
  })
  const running: RunningBulk | undefined =
    run && change?.state === 'running'
      ? {
          sentence: describeBulkChange(inTurn(run.description, run.after), change.total),
          change,
          isCancelling: cancelling.isPending,
        }
      : undefined
  return { starting, running, cancel: () => run && cancelling.mutate(run.id) }
}

const inTurn = (description: BulkDescription, after: Turn | undefined): BulkDescription =>
  after === 'undo' ? { ...description, action: 'undo' } : description

function outcomeOf(
  { state, total, changed, left, leftFeatures }: BulkChange,
  description: BulkDescription,
): string {
  const { kinds } = description
  const done =
    description.action === 'undo'
      ? `Change to ${countOfKinds(kinds, changed)} undone`
      : capitalized(describeBulkChange(description, changed, true))
  const stopped =
    state === 'cancelled' ? `Stopped after ${formatNumber(changed)} of ${formatNumber(total)}: ` : ''
  const [first] = leftFeatures
  const stayed =
    left === 0
      ? ''
      : left === 1 && first
        ? `; ‘${first.name || 'Untitled'}’ ${first.reason} and was skipped`
        : `; ${formatNumber(left)} skipped because someone else changed them`
  return `${stopped}${done}${stayed}`
}
