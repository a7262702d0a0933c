import { Button, FileButton } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { incidentTypeLabels, severityLabels } from '#domain/incidents/incident-types.ts'
import { workStateLabels } from '#domain/incidents/work-states.ts'
import type { WorkLinkStep, WorkOrder } from '#domain/work/work.schema.ts'
import { newFileId } from '#web/api/files.api.ts'
import { newKey, RequestError } from '#web/api/http.ts'
import { createUploads, runUnlisted } from '#web/api/uploads.ts'
import { type HeldLink, sendLinkStep, workOrderQuery, workPhotos } from '#web/api/work.api.ts'
import { LinkPhotos } from '#web/files/link-photos.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Form } from '#web/ui/form-frame.tsx'
import page from '#web/ui/private-page.module.css'
import { calendarDay } from '#web/ui/relative-time.ts'
import { NoteField, NoteList } from './note.tsx'
import classes from './work-order.module.css'

/** There are no live updates without a map. */
const refreshMs = 60_000

/** An incident for a contractor without an account. */
export function WorkOrderDetails({ link }: { link: HeldLink }) {
  const order = useQuery({ ...workOrderQuery(link), refetchInterval: refreshMs, retry: false })
  const { data, error } = order
  if (error instanceof RequestError && [400, 404].includes(error.status))
    return <p>This link does not work. It may have expired: ask the association for a new one.</p>
  if (error && !data)
    return <ErrorState title="Could not load the work." error={error} onRetry={() => order.refetch()} />
  if (!data) return <p>Loading the work…</p>
  return <Loaded link={link} order={data} />
}

function Loaded({ link, order }: { link: HeldLink; order: WorkOrder }) {
  const { association, incident, notes, photos } = order
  const { type, severity, due, workState, place } = incident
  const facts = [
    ...(type === null ? [] : [incidentTypeLabels[type]]),
    ...(severity === null ? [] : [`severity ${severityLabels[severity].toLowerCase()}`]),
    ...(due === null ? [] : [`due ${calendarDay(due)}`]),
  ]
  return (
    <div className={page.content}>
      <h2 className={classes.title}>{incident.title}</h2>
      {facts.length > 0 && <p>{facts.join(', ')}</p>}
      {order.instructions !== '' && (
        <p className={page.text}>
          <b>{order.instructions}</b>
        </p>
      )}
      {incident.description !== '' && <p className={page.text}>{incident.description}</p>}
      <p>
        <Link to="/map/$mapId" params={{ mapId: link.mapId }} search={{ select: incident.id }}>
          Show it on the map
        </Link>{' '}
        ({place.lat.toFixed(5)}, {place.lng.toFixed(5)})
      </p>
      <p role="status">
        Progress: <b>{workState === null ? 'Not started' : workStateLabels[workState]}</b>
      </p>
      {photos.length > 0 && (
        <LinkPhotos
          link={workPhotos(link)}
          photos={photos.map(({ id, isOwn }, index) => ({
            id,
            name: `Photo ${index + 1}${isOwn ? ', yours' : ''}`,
          }))}
        />
      )}
      <NoteList label="Notes" notes={notes} />
      <StepForm link={link} order={order} />
      <p className={classes.small}>
        For {order.name}, from {association.name}
        {association.phone !== null && (
          <>
            , <a href={`tel:${association.phone}`}>{association.phone}</a>
          </>
        )}
        {association.email !== null && (
          <>
            , <a href={`mailto:${association.email}`}>{association.email}</a>
          </>
        )}
        . This link works until {calendarDay(order.expiresAt.slice(0, 10))}, for anyone who has it.
      </p>
    </div>
  )
}

const uploads = createUploads()

async function sendPhotos(link: HeldLink, files: readonly File[]) {
  for (const file of files) {
    const id = newFileId()
    const reason = await runUnlisted(uploads, id, () => uploads.sendPhoto(id, { id, file }, workPhotos(link)))
    if (reason !== null) throw new Error(`‘${file.name}’ could not be sent: ${reason}`)
  }
}

function StepForm({ link, order }: { link: HeldLink; order: WorkOrder }) {
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [id, setId] = useState(newKey)
  const { workState } = order.incident
  const send = useMutation({
    mutationFn: (state: WorkLinkStep['state']) =>
      sendLinkStep(link, { id, text: text.trim(), ...(state ? { state } : {}) }),
    onSuccess(changed) {
      client.setQueryData(workOrderQuery(link).queryKey, changed)
      setText('')
      setId(newKey())
    },
  })
  const photos = useMutation({
    mutationFn: (files: readonly File[]) => sendPhotos(link, files),
    onSettled: () => client.invalidateQueries({ queryKey: workOrderQuery(link).queryKey }),
  })
  const failure = send.error ?? photos.error
  const isIdle = !send.isPending
  return (
    <Form className={page.content} aria-label="Report progress" onSubmit={() => send.mutate(undefined)}>
      <NoteField label="Note to the association" minRows={2} value={text} onChange={setText} />
      <p role="status">{send.isSuccess && text === '' && 'Sent to the association.'}</p>
      {failure && <p role="alert">{failure.message}</p>}
      <div className={page.buttons}>
        <FileButton accept="image/*" multiple onChange={(files) => files.length > 0 && photos.mutate(files)}>
          {(props) => (
            <Button variant="default" loading={photos.isPending} {...props}>
              Add photos
            </Button>
          )}
        </FileButton>
        <Button type="submit" variant="default" loading={send.isPending} disabled={text.trim() === ''}>
          Send note
        </Button>
        {workState !== 'in_progress' && workState !== 'resolved' && (
          <Button variant="default" disabled={!isIdle} onClick={() => send.mutate('in_progress')}>
            Start work
          </Button>
        )}
        {workState === 'resolved' ? (
          <Button variant="default" disabled={!isIdle} onClick={() => send.mutate('in_progress')}>
            Not done yet
          </Button>
        ) : (
          <Button disabled={!isIdle} onClick={() => send.mutate('resolved')}>
            Mark as done
          </Button>
        )}
      </div>
    </Form>
  )
}
