import { Anchor, Button, Progress } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type BackgroundExport, isBeingWritten } from '#domain/exports/background-export.schema.ts'
import { formatNumber } from '#domain/values/wording.ts'
import {
  backgroundExportsQuery,
  backgroundFileAddress,
  removeBackgroundExport,
} from '#web/api/exports.api.ts'
import { formatBytes } from '#web/ui/measures.ts'
import { exactTime } from '#web/ui/relative-time.ts'
import classes from './export-form.module.css'

type BackgroundExportsProps = {
  mapId: string
  startedId: string | undefined
}

export function BackgroundExports({ mapId, startedId }: BackgroundExportsProps) {
  const client = useQueryClient()
  const query = backgroundExportsQuery(mapId)
  const { data, error } = useQuery(query)
  const sectionRef = useRef<HTMLElement>(null)
  const isThere = data?.items.some(({ id }) => id === startedId) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each export
  useEffect(() => {
    if (isThere) sectionRef.current?.scrollIntoView()
  }, [isThere, startedId])
  const removing = useMutation({
    mutationFn: (id: string) => removeBackgroundExport(mapId, id),
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  const problem = removing.error ?? error
  if (!problem && !data?.items.length) return null
  return (
    <section ref={sectionRef} className={classes.background} aria-label="Background exports">
      <h3>Background exports</h3>
      {problem && (
        <p className={classes.problem} role="alert">
          {problem.message}
        </p>
      )}
      <ul>
        {data?.items.map((one) => (
          <li key={one.id}>
            <div className={classes.file}>
              {one.state === 'done' ? (
                <Anchor href={backgroundFileAddress(mapId, one.id)} download>
                  {one.fileName}
                </Anchor>
              ) : (
                <b>{one.fileName}</b>
              )}
              <Progressing of={one} />
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={`${isBeingWritten(one.state) ? 'Cancel' : 'Remove'} ${one.fileName}`}
              loading={removing.isPending && removing.variables === one.id}
              onClick={() => removing.mutate(one.id)}
            >
              {isBeingWritten(one.state) ? 'Cancel' : 'Remove'}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Progressing({ of }: { of: BackgroundExport }) {
  const { fileName, state, rows, total } = of
  return (
    <>
      {state === 'reading' && (
        <>
          <Progress
            size="sm"
            value={Math.min(100, (100 * rows) / Math.max(1, total))}
            aria-label={fileName}
          />
          <span>
            {formatNumber(rows)} of {formatNumber(total)}
          </span>
        </>
      )}
      <span role="status" className={state === 'failed' ? classes.problem : undefined}>
        {wordsOf(of)}
      </span>
    </>
  )
}

/** Announced by screen readers, so without numbers that keep changing. */
function wordsOf({ state, bytes, problem, keptUntil }: BackgroundExport): string {
  switch (state) {
    case 'waiting':
      return 'Waiting'
    case 'reading':
      return 'Reading features'
    case 'writing':
      return 'Writing the file'
    case 'done':
      return `${formatBytes(bytes ?? 0)}, available until ${exactTime(keptUntil ?? '')}`
    case 'failed':
      return problem ?? 'Could not write the file'
  }
}
