import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { reportNumber } from '#domain/reports/report-states.ts'
import { blockedSendersQuery, unblockSender } from '#web/api/reports.api.ts'
import { useEditorId } from '#web/api/use-session.ts'
import { dayInWords } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { showError } from '#web/ui/toasts.tsx'
import { FieldGroup } from './field-group.tsx'

/** Changes apply at once, unlike the settings around it. */
export function BlockedSenders({ mapId }: { mapId: string }) {
  const isEditor = useEditorId(mapId) !== null
  const { data } = useQuery({ ...blockedSendersQuery(mapId), enabled: isEditor })
  const client = useQueryClient()
  const unblock = useMutation({
    mutationFn: (reportId: string) => unblockSender(mapId, reportId),
    onError: (error) => showError('Could not unblock the sender', error),
    onSettled: () => client.invalidateQueries({ queryKey: blockedSendersQuery(mapId).queryKey }),
  })
  if (!isEditor || !data) return null
  return (
    <FieldGroup title="Blocked senders">
      {data.items.length === 0 && <p>None. You can block the sender of a report where you review it.</p>}
      {data.items.map(({ reportId, number, title, until, blockedBy }) => (
        <p key={reportId}>
          Sender of {reportNumber(number)}, ‘{title}’, until {dayInWords(until)}, by {blockedBy}{' '}
          <SmallButton
            aria-label={`Unblock the sender of ${reportNumber(number)}`}
            onClick={() => unblock.mutate(reportId)}
          >
            Unblock
          </SmallButton>
        </p>
      ))}
    </FieldGroup>
  )
}
