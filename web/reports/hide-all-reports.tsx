import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Report } from '#domain/reports/report.schema.ts'
import { counted } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import { RequestError } from '#web/api/http.ts'
import { decideReport } from '#web/api/reports.api.ts'
import { Confirmation } from '#web/ui/confirmation.tsx'
import { SmallButton } from '#web/ui/small-button.tsx'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { nextTurn, type Turn } from '#web/ui/undo-offers.ts'

type HideAllProps = { mapId: string; reports: readonly Report[] }
type Hiding = { reports: readonly Report[]; state: 'hidden' | 'new'; after?: Turn }

/** Clears many reports at once, such as spam. */
export function HideAllReports({ mapId, reports }: HideAllProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const client = useQueryClient()
  const hiding = useMutation({
    async mutationFn({ reports, state }: Hiding) {
      const changed: Report[] = []
      for (const report of reports)
        try {
          changed.push(await decideReport(mapId, report, { state }))
        } catch (error) {
          // Someone else decided on it meanwhile.
          if (error instanceof RequestError && error.status === 412) continue
          showError('Could not change all reports', error as Error)
          break
        }
      return changed
    },
    onSuccess(changed, { state, after }) {
      const [first] = changed
      if (!first) return
      followChanges(
        client,
        changed.map(({ id, version }) => ({ mapId, part: 'reports', id, version })),
      )
      const done = state === 'hidden' ? 'hidden' : 'back in the review'
      showSuccess(`${counted(changed.length, 'report')} ${done}`, {
        dependsOn: { mapId, of: 'report', id: first.id, version: first.version },
        undo: () =>
          hiding.mutate({
            reports: changed,
            state: state === 'hidden' ? 'new' : 'hidden',
            after: nextTurn(after),
          }),
        after,
      })
    },
  })
  return (
    <>
      <SmallButton loading={hiding.isPending} onClick={() => setIsConfirming(true)}>
        Hide all {counted(reports.length, 'report')}
      </SmallButton>
      <Confirmation
        title={`Hide ${counted(reports.length, 'report')}?`}
        isOpen={isConfirming}
        stay="Cancel"
        onStay={() => setIsConfirming(false)}
        go="Hide all"
        onGo={() => {
          setIsConfirming(false)
          hiding.mutate({ reports, state: 'hidden' })
        }}
      >
        {() => <p>Use it for spam. They stay in the list ‘Hidden’, and you can undo it.</p>}
      </Confirmation>
    </>
  )
}
