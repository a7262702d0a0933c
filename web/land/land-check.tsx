import { Button, Progress } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Bounds } from '#domain/geometry/geometry.schema.ts'
import { isUnderWay, type LandCheckAnswer } from '#domain/land-check/land-check.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import { landCheckQuery, removeLandCheck, startLandCheck } from '#web/api/land.api.ts'
import { loadFailure } from '#web/ui/error-state.tsx'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { LoadingRows } from '#web/ui/states.tsx'
import { FoundProblems } from './found-problems.tsx'
import classes from './land.module.css'

type LandCheckProps = {
  mapId: string
  editorId: string
  onShow(extent: Bounds): void
  onEdit(): void
}

export function LandCheck({ mapId, editorId, onShow, onEdit }: LandCheckProps) {
  const client = useQueryClient()
  const query = landCheckQuery(mapId)
  const answer = useQuery(query)
  const starting = useMutation({
    mutationFn: () => startLandCheck(mapId),
    onSuccess: (started) => client.setQueryData(query.queryKey, started),
  })
  const canceling = useMutation({
    mutationFn: () => removeLandCheck(mapId),
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  if (!answer.data)
    return (
      loadFailure(answer, 'Could not load the check of the land.') ?? (
        <LoadingRows label="Loading the check of the land" />
      )
    )
  const { check } = answer.data
  const problem = starting.error ?? canceling.error
  const isRunning = check !== null && isUnderWay(check.state)
  return (
    <>
      <p className={classes.note}>
        Finds overlaps, gaps, and corners of parcels that do not meet. Nothing changes until you save a fix.
      </p>
      <div className={classes.start}>
        {isRunning ? (
          <>
            <Progress
              className={classes.progress}
              value={100 * check.progress}
              aria-label="Progress of the check"
            />
            <Button
              size="xs"
              variant="default"
              loading={canceling.isPending}
              onClick={() => canceling.mutate()}
            >
              Cancel
            </Button>
          </>
        ) : (
          <Button size="sm" loading={starting.isPending} onClick={() => starting.mutate()}>
            {check ? 'Check again' : 'Check the land'}
          </Button>
        )}
        <p role="status">{check && <StateWords check={check} />}</p>
      </div>
      {problem && (
        <p className={classes.problem} role="alert">
          {problem.message}
        </p>
      )}
      {check?.state === 'done' && (
        <FoundProblems
          key={check.id}
          mapId={mapId}
          editorId={editorId}
          check={check}
          onShow={onShow}
          onEdit={onEdit}
        />
      )}
    </>
  )
}

/** Without numbers that change all the time, because screen readers announce it. */
function StateWords({ check }: { check: LandCheckAnswer }) {
  const { state, finishedAt, failure, parcels, isOutdated } = check
  if (state === 'waiting') return 'Waiting for other work'
  if (state === 'checking') return 'Checking the parcels'
  if (state === 'failed') return <span className={classes.problem}>{failure}</span>
  if (parcels === 0) return 'This map has no parcels.'
  return (
    <>
      {parcels === 1 ? '1 parcel' : `${formatNumber(parcels)} parcels`} checked{' '}
      {finishedAt && (
        <time dateTime={finishedAt} title={exactTime(finishedAt)}>
          {relativeTime(finishedAt)}
        </time>
      )}
      {isOutdated && '. The map has changed since.'}
    </>
  )
}
