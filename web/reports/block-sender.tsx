import { NativeSelect } from '@mantine/core'
import { IconBan } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Report } from '#domain/reports/report.schema.ts'
import { blockDays, reportNumber } from '#domain/reports/report-states.ts'
import { counted } from '#domain/values/wording.ts'
import { followChanges } from '#web/api/changes.ts'
import { blockSender, unblockSender } from '#web/api/reports.api.ts'
import { dayInWords } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import classes from './triage-panel.module.css'

type BlockSenderProps = { mapId: string; report: Report }

export function BlockSender({ mapId, report }: BlockSenderProps) {
  const [days, setDays] = useState<number>(7)
  const { id, version, isSenderKnown, senderBlockedUntil } = report
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (days: number | null) =>
      days === null ? unblockSender(mapId, id) : blockSender(mapId, id, days),
    onSuccess(_, days) {
      followChanges(client, [{ mapId, part: 'reports', id, version: null }])
      const sender = `Sender of ${reportNumber(report.number)}`
      if (days === null) return showSuccess(`${sender} unblocked`)
      showSuccess(`${sender} blocked for ${counted(days, 'day')}`, {
        dependsOn: { mapId, of: 'report', id, version },
        undo: () => change.mutate(null),
      })
    },
    onError: (error) => showError('Could not change the block', error),
  })
  if (!isSenderKnown) return null
  if (senderBlockedUntil !== null)
    return (
      <div className={classes.buttons}>
        <span className={classes.meta}>The sender is blocked until {dayInWords(senderBlockedUntil)}.</span>
        <SmallButton loading={change.isPending} onClick={() => change.mutate(null)}>
          Unblock
        </SmallButton>
      </div>
    )
  return (
    <div className={classes.buttons}>
      <NativeSelect
        size="xs"
        aria-label="Block the sender for"
        value={String(days)}
        onChange={(event) => setDays(Number(event.currentTarget.value))}
        data={blockDays.map((count) => ({ value: String(count), label: counted(count, 'day') }))}
      />
      <SmallButton icon={IconBan} loading={change.isPending} onClick={() => change.mutate(days)}>
        Block this sender
      </SmallButton>
      <p className={classes.meta}>Also stops reports from neighbors on the same network.</p>
    </div>
  )
}
