import { Button, NativeSelect } from '@mantine/core'
import { IconCheck, IconRotate } from '@tabler/icons-react'
import { type FeatureStatus, operationalStatuses, statusLabels } from '#domain/definition/kinds.ts'
import { type StatusSubject, useStatusChange } from './use-status-change.ts'

/** Section 4 of the specification: an incident is resolved or reopened, an asset set to one of three states. */
export function StatusControl({ mapId, subject }: { mapId: string; subject: StatusSubject }) {
  const change = useStatusChange(mapId)
  const { status, name } = subject
  // Never disabled meanwhile: that would take the focus away from whoever uses the keyboard.
  function set(wanted: FeatureStatus) {
    if (!change.isPending) change.mutate({ subject, status: wanted })
  }
  if (status === 'resolved' || status === 'unresolved') {
    const isResolved = status === 'resolved'
    const Icon = isResolved ? IconRotate : IconCheck
    return (
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon size={14} aria-hidden="true" />}
        aria-disabled={change.isPending}
        aria-label={`${isResolved ? 'Reopen' : 'Resolve'} ${name}`}
        onClick={() => set(isResolved ? 'unresolved' : 'resolved')}
      >
        {isResolved ? 'Reopen' : 'Resolve'}
      </Button>
    )
  }
  return (
    <NativeSelect
      size="xs"
      w={128}
      aria-label={`Status of ${name}`}
      aria-disabled={change.isPending}
      value={status}
      data={operationalStatuses.map((value) => ({ value, label: statusLabels[value] }))}
      onChange={({ currentTarget: { value } }) => {
        const wanted = operationalStatuses.find((candidate) => candidate === value)
        if (wanted) set(wanted)
      }}
    />
  )
}
