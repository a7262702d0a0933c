import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Report, ReportDecision } from '#domain/reports/report.schema.ts'
import { reportNumber } from '#domain/reports/report-states.ts'
import { followChanges } from '#web/api/changes.ts'
import { decideReport, reportsQuery } from '#web/api/reports.api.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { nextTurn, type Turn } from '#web/ui/undo-offers.ts'

type Decided = {
  report: Report
  decision: Partial<ReportDecision> & { state: ReportDecision['state'] }
  after?: Turn | undefined
}

const decided: Record<ReportDecision['state'], string> = {
  new: 'waits for review again',
  accepted: 'is on the map',
  rejected: 'rejected',
  duplicate: 'merged',
  hidden: 'hidden',
}

export function useDecision(mapId: string, onUndone: (report: Report) => void) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: ({ report, decision }: Decided) => decideReport(mapId, report, decision),
    onSuccess(changed, { report, decision, after }) {
      const { id, version } = changed
      followChanges(client, [
        { mapId, part: 'reports', id, version },
        { mapId, part: 'features', id, version: null },
        ...[changed.duplicateOf, report.duplicateOf].flatMap((merged) =>
          merged === null ? [] : [{ mapId, part: 'notes', id: merged, version: null } as const],
        ),
      ])
      const { state, publicNote, duplicateOf } = report
      const previous = { state: state === 'withdrawn' ? 'new' : state, publicNote, duplicateOf } as const
      const undo = () =>
        mutation.mutate(
          {
            report: changed,
            decision: { ...previous, duplicateOf: state === 'duplicate' ? duplicateOf : null },
            after: nextTurn(after),
          },
          // Not after the panel has closed.
          { onSuccess: (restored) => nextTurn(after) === 'undo' && onUndone(restored) },
        )
      const into = decision.state === 'duplicate' ? ` into ‘${changed.duplicateTitle || 'Untitled'}’` : ''
      showSuccess(`${reportNumber(report.number)} ${decided[decision.state]}${into}`, {
        dependsOn: { mapId, of: 'report', id, version },
        undo,
        after,
      })
    },
    onError(error, { report }) {
      showError(`Could not decide on ${reportNumber(report.number)}`, error)
      void client.invalidateQueries({ queryKey: reportsQuery(mapId, 'new').queryKey.slice(0, -1) })
    },
  })
  return mutation
}
