import { Button, NativeSelect } from '@mantine/core'
import { IconCheck, IconRotate } from '@tabler/icons-react'
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { UndoBasis } from '#domain/activity/undo-basis.ts'
import {
  type FeatureStatus,
  incidentStatuses,
  operationalStatuses,
  statusLabels,
} from '#domain/definition/kinds.ts'
import type { FeatureDetail, FeatureSummary } from '#domain/features/feature.schema.ts'
import { followChanges, touchedBy } from '#web/api/changes.ts'
import { changeStatus, type FeaturePage, featureDetailQuery } from '#web/api/features.api.ts'
import { RequestError } from '#web/api/http.ts'
import { answerKey } from '#web/api/maps.api.ts'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import { nextTurn, type Turn } from '#web/ui/undo-offers.ts'
import { StatusIcon } from './badges.tsx'
import classes from './status-control.module.css'

type StatusProps = { mapId: string; subject: StatusSubject; tabIndex?: number }

/** Section 4 of the specification. */
export function StatusControl({ mapId, subject }: StatusProps) {
  const set = useSetStatus(mapId, subject)
  const { status, name } = subject
  if (!isOfIncident(status)) return <StatusSelect mapId={mapId} subject={subject} />
  const isResolved = status === 'resolved'
  const Icon = isResolved ? IconRotate : IconCheck
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<Icon size={14} aria-hidden="true" />}
      aria-label={`${isResolved ? 'Reopen' : 'Resolve'} ${name}`}
      onClick={() => set(isResolved ? 'unresolved' : 'resolved')}
    >
      {isResolved ? 'Reopen' : 'Resolve'}
    </Button>
  )
}

export function StatusSelect({ mapId, subject, tabIndex }: StatusProps) {
  const set = useSetStatus(mapId, subject)
  const { status, name } = subject
  const choices = isOfIncident(status) ? incidentStatuses : operationalStatuses
  const [passing, setPassing] = useState<FeatureStatus | null>(null)
  const isByKey = useRef(false)
  function settle() {
    isByKey.current = false
    setPassing(null)
    if (passing !== null && passing !== status) set(passing)
  }
  return (
    <NativeSelect
      className={classes.select}
      size="xs"
      leftSection={<StatusIcon status={status} />}
      leftSectionPointerEvents="none"
      tabIndex={tabIndex}
      aria-label={`Status of ${name}`}
      value={passing ?? status}
      data={choices.map((value) => ({ value, label: statusLabels[value] }))}
      // Arrow keys pass choices by on their way. Enter and leaving the control set the last one, Esc none.
      onKeyDown={(event) => {
        const { key } = event
        if (key === 'Enter') settle()
        else if (key === 'Escape' && passing !== null) {
          setPassing(null)
          // Otherwise it closes the details.
          event.stopPropagation()
        } else isByKey.current = key.startsWith('Arrow')
      }}
      onPointerDown={() => {
        isByKey.current = false
      }}
      onBlur={settle}
      onChange={({ currentTarget: { value } }) => {
        const wanted = choices.find((candidate) => candidate === value)
        setPassing(wanted !== undefined && isByKey.current ? wanted : null)
        if (wanted && !isByKey.current) set(wanted)
      }}
    />
  )
}

const isOfIncident = (status: FeatureStatus) => incidentStatuses.some((one) => one === status)

/** Never disabled while saving: that would drop the keyboard focus. */
function useSetStatus(mapId: string, subject: StatusSubject) {
  const { isPending, isError, mutate } = useStatusChange(mapId)
  const [next, setNext] = useState<FeatureStatus | null>(null)
  // A status chosen while a change is being saved follows it, with the version that the change produced.
  useEffect(() => {
    if (next === null || isPending) return
    setNext(null)
    if (!isError) mutate({ subject, status: next })
  }, [next, isPending, isError, mutate, subject])
  return (status: FeatureStatus) => (isPending ? setNext(status) : mutate({ subject, status }))
}

type StatusSubject = { id: string; name: string; status: FeatureStatus; version: number }

type Change = { subject: StatusSubject; status: FeatureStatus; after?: Turn }

/** Shown at once, undone if the server refuses, and sent to all other pages. */
function useStatusChange(mapId: string) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: ({ subject, status }: Change) => changeStatus(mapId, subject, status),
    async onMutate({ subject, status }) {
      // A pending response would show the old status again.
      const touched = touchedBy(mapId, 'status', subject.id)
      await queryClient.cancelQueries(touched)
      const before = queryClient.getQueriesData(touched)
      showStatus(queryClient, mapId, subject.id, { status })
      return { before }
    },
    onError(error, { subject }, context) {
      for (const [key, data] of context?.before ?? []) queryClient.setQueryData(key, data)
      const isOvertaken = error instanceof RequestError && error.status === 412
      showError(
        `Could not change ‘${subject.name}’`,
        isOvertaken ? new Error('Someone else just changed it. You now see the latest version.') : error,
      )
      void queryClient.invalidateQueries(touchedBy(mapId, 'status', subject.id))
    },
    onSuccess(detail, { subject, status, after }) {
      const { id, version } = detail
      // The next change names this version, even before the lists are reloaded.
      showStatus(queryClient, mapId, id, { status, version })
      queryClient.setQueryData(featureDetailQuery(mapId, id).queryKey, detail)
      followChanges(queryClient, [{ mapId, part: 'status', id, version }])
      const undo = () =>
        change.mutate({
          subject: { ...subject, status, version: detail.version },
          status: subject.status,
          after: nextTurn(after),
        })
      const dependsOn: UndoBasis = { mapId, of: 'feature', id, version }
      showSuccess(`‘${subject.name}’: ${statusLabels[status].toLowerCase()}`, { dependsOn, undo, after })
    },
  })
  return change
}

function showStatus(
  queryClient: QueryClient,
  mapId: string,
  id: string,
  shown: { status: FeatureStatus; version?: number },
) {
  const { status } = shown
  const withStatus = (page: FeaturePage): FeaturePage => ({
    ...page,
    items: page.items.map((item: FeatureSummary) => (item.id === id ? { ...item, ...shown } : item)),
  })
  queryClient.setQueriesData<InfiniteData<FeaturePage>>(
    { queryKey: answerKey(mapId, 'features') },
    (list) => list && { ...list, pages: list.pages.map(withStatus) },
  )
  queryClient.setQueriesData<FeaturePage>(
    { queryKey: answerKey(mapId, 'table') },
    (page) => page && withStatus(page),
  )
  queryClient.setQueryData<FeatureDetail>(featureDetailQuery(mapId, id).queryKey, (detail) => {
    if (!detail || !('resolved' in detail))
      return detail && 'status' in detail ? { ...detail, status: status as typeof detail.status } : detail
    const isResolved = status === 'resolved'
    return { ...detail, resolved: isResolved, resolvedDate: isResolved ? new Date().toISOString() : null }
  })
}
