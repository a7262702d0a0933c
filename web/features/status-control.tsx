import { Button, NativeSelect } from '@mantine/core'
import { IconCheck, IconRotate } from '@tabler/icons-react'
import {
  type FeatureStatus,
  incidentStatuses,
  operationalStatuses,
  statusLabels,
} from '#domain/definition/kinds.ts'
import { StatusIcon } from './badges.tsx'
import classes from './status-control.module.css'
import { type StatusSubject, useStatusChange } from './use-status-change.ts'

type StatusProps = { mapId: string; subject: StatusSubject; tabIndex?: number }

/** Section 4 of the specification. */
export function StatusControl({ mapId, subject }: StatusProps) {
  const { isPending, set } = useSetStatus(mapId, subject)
  const { status, name } = subject
  if (!isOfIncident(status)) return <StatusSelect mapId={mapId} subject={subject} />
  const isResolved = status === 'resolved'
  const Icon = isResolved ? IconRotate : IconCheck
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon size={14} aria-hidden="true" />}
      aria-disabled={isPending}
      aria-label={`${isResolved ? 'Reopen' : 'Resolve'} ${name}`}
      onClick={() => set(isResolved ? 'unresolved' : 'resolved')}
    >
      {isResolved ? 'Reopen' : 'Resolve'}
    </Button>
  )
}

export function StatusSelect({ mapId, subject, tabIndex }: StatusProps) {
  const { isPending, set } = useSetStatus(mapId, subject)
  const { status, name } = subject
  const choices = isOfIncident(status) ? incidentStatuses : operationalStatuses
  return (
    <NativeSelect
      className={classes.select}
      size="xs"
      leftSection={<StatusIcon status={status} />}
      leftSectionPointerEvents="none"
      tabIndex={tabIndex}
      aria-label={`Status of ${name}`}
      aria-disabled={isPending}
      value={status}
      data={choices.map((value) => ({ value, label: statusLabels[value] }))}
      onChange={({ currentTarget: { value } }) => {
        const wanted = choices.find((candidate) => candidate === value)
        if (wanted) set(wanted)
      }}
    />
  )
}

const isOfIncident = (status: FeatureStatus) => incidentStatuses.some((one) => one === status)

/** Never disabled while saving: that would drop the keyboard focus. */
function useSetStatus(mapId: string, subject: StatusSubject) {
  const { isPending, mutate } = useStatusChange(mapId)
  const set = (status: FeatureStatus) => {
    if (!isPending) mutate({ subject, status })
  }
  return { isPending, set }
}
