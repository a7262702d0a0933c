import { IconGitMerge } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FeatureDetail } from '#domain/features/feature.schema.ts'
import { reportersInWords } from '#domain/reports/report-states.ts'
import type { IncidentNotes } from '#domain/work/work.schema.ts'
import { followChanges } from '#web/api/changes.ts'
import { mergeIncident, similarIncidentsQuery, undoMerge } from '#web/api/reports.api.ts'
import { IncidentSelect } from '#web/features/incident-select.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { loadFailure } from '#web/ui/error-state.tsx'
import { formatDistance, readersUnits } from '#web/ui/measures.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { showError, showSuccess } from '#web/ui/toasts.tsx'
import classes from './incident-work.module.css'

type Incident = Extract<FeatureDetail, { kind: 'incident' }>
type Merge = { mapId: string; id: string; title: string; target: string }

function useUndoMerge() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ mapId, id }: Merge) => undoMerge(mapId, id),
    onSuccess(_, merge) {
      followMerge(client, merge)
      showSuccess(`Merge of ‘${merge.title}’ undone`)
    },
    onError: (error, { title }) => showError(`Could not undo the merge of ‘${title}’`, error),
  })
}

function followMerge(client: ReturnType<typeof useQueryClient>, { mapId, id, target }: Merge) {
  followChanges(client, [
    { mapId, part: 'features', id, version: null },
    { mapId, part: 'notes', id: target, version: null },
    { mapId, part: 'notes', id, version: null },
  ])
}

type MergeIncidentProps = {
  incident: Incident
  /** Shows the incident that remains. */
  onSelect(id: string): void
}

export function MergeIncident({ incident, onSelect }: MergeIncidentProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className={classes.controls}>
      <SmallButton icon={IconGitMerge} iconSize={14} onClick={() => setIsOpen(true)}>
        Merge
      </SmallButton>
      <Dialog title={`Merge ‘${incident.title}’`} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        {() => <Targets incident={incident} onDone={onSelect} />}
      </Dialog>
    </div>
  )
}

function Targets({ incident, onDone }: { incident: Incident; onDone(id: string): void }) {
  const { mapId, id, title, geometry, assignee } = incident
  const client = useQueryClient()
  const [lng = 0, lat = 0] = geometry.type === 'Point' ? geometry.coordinates : []
  const near = useQuery(similarIncidentsQuery(mapId, { lat, lng }))
  const undo = useUndoMerge()
  const merge = useMutation({
    mutationFn: (target: { id: string; title: string }) => mergeIncident(incident, target.id),
    onSuccess({ changeId, version, into: target }, { title: name }) {
      onDone(target)
      const done = { mapId, id, title, target }
      followMerge(client, done)
      showSuccess(`‘${title}’ merged into ‘${name}’`, {
        dependsOn: { mapId, of: 'removed feature', id, version, changeId },
        undo: () => undo.mutate(done),
      })
    },
  })
  const failure = loadFailure(near, 'Could not load incidents nearby.')
  if (failure) return failure
  if (near.isPending) return <LoadingRows label="Looking for incidents nearby" />
  const others = near.data?.items.filter((other) => other.id !== id) ?? []
  return (
    <div className={classes.form}>
      <p className={classes.hint}>
        Photos, notes, reporters and work links move to the other incident, and ‘{title}’ leaves the map.{' '}
        {assignee && `It is assigned to ${assignee}: assign the other incident as well, if needed. `}
        You can undo this.
      </p>
      {merge.error && <p role="alert">{merge.error.message}</p>}
      <ul className={classes.links} aria-label="Incidents nearby">
        {others.map((other) => (
          <li key={other.id}>
            <p>
              <b>{other.title}</b>{' '}
              {[
                `${formatDistance(other.distanceMeters, readersUnits())} away`,
                ...(other.resolved ? ['resolved'] : []),
                ...reportersInWords(other.reporters),
              ].join(', ')}
            </p>
            <SmallButton
              aria-label={`Merge into ‘${other.title}’`}
              loading={merge.isPending && merge.variables.id === other.id}
              onClick={() => merge.mutate(other)}
            >
              Merge
            </SmallButton>
          </li>
        ))}
      </ul>
      <IncidentSelect
        mapId={mapId}
        label={others.length > 0 ? 'Merge into another incident' : 'Merge into'}
        place={{ lat, lng }}
        without={[id, ...others.map((other) => other.id)]}
        onChoose={merge.mutate}
      />
    </div>
  )
}

type MergedProps = { incident: Incident; merged: IncidentNotes['merged'] }

export function MergedDuplicates({ incident, merged }: MergedProps) {
  const { mapId, id: target } = incident
  const undo = useUndoMerge()
  return (
    <ul className={classes.links} aria-label="Merged duplicates">
      {merged.map(({ id, title, at, by }) => (
        <li key={id}>
          <p className={classes.hint}>
            ‘{title}’ was merged into this by {by} <time title={exactTime(at)}>{relativeTime(at)}</time>
          </p>
          <SmallButton
            aria-label={`Undo merge of ‘${title}’`}
            loading={undo.isPending && undo.variables.id === id}
            onClick={() => undo.mutate({ mapId, id, title, target })}
          >
            Undo merge
          </SmallButton>
        </li>
      ))}
    </ul>
  )
}
