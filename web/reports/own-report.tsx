import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { incidentTypeLabels } from '#domain/incidents/incident-types.ts'
import { type WorkState, workStateLabels } from '#domain/incidents/work-states.ts'
import type { ReportForReporter } from '#domain/reports/report.schema.ts'
import {
  isChangeable,
  maxReportDescription,
  reportersInWords,
  reportNumber,
} from '#domain/reports/report-states.ts'
import { newKey, RequestError } from '#web/api/http.ts'
import {
  changeOwnReport,
  commentOnReport,
  endEmails,
  type OwnReport,
  ownPhotos,
  ownReportQuery,
  withdrawReport,
} from '#web/api/reports.api.ts'
import { LinkPhotos } from '#web/files/link-photos.tsx'
import { ConfirmedButton } from '#web/ui/confirmed-button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Form } from '#web/ui/form-frame.tsx'
import page from '#web/ui/private-page.module.css'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { NoteField, NoteList } from '#web/work/note.tsx'
import classes from './own-report.module.css'

/** Reporters look again after a while; there are no live updates without a map. */
const refreshMs = 60_000

export function OwnReportDetails({ own }: { own: OwnReport }) {
  const report = useQuery({ ...ownReportQuery(own), refetchInterval: refreshMs, retry: false })
  const { data, error } = report
  if (error instanceof RequestError && [400, 404].includes(error.status))
    return <p>There is no report at this link. Check that the link is complete.</p>
  if (error && !data)
    return <ErrorState title="Could not load the report." error={error} onRetry={() => report.refetch()} />
  if (!data) return <p>Loading your report…</p>
  return <Loaded own={own} report={data} />
}

function Loaded({ own, report }: { own: OwnReport; report: ReportForReporter }) {
  const { mapId, key } = own
  const { incident, publicNote, createdAt, description } = report
  return (
    <div className={page.content}>
      <p>
        <b>{reportNumber(report.number)}</b> {report.title} ({incidentTypeLabels[report.type]}), sent{' '}
        <time dateTime={createdAt} title={exactTime(createdAt)}>
          {relativeTime(createdAt)}
        </time>
      </p>
      <p className={classes.state} role="status">
        {stateInWords(report)}
      </p>
      {publicNote !== '' && <blockquote className={classes.note}>{publicNote}</blockquote>}
      <MapLink mapId={mapId} incident={incident} />
      <NoteList label="News and comments" notes={report.notes} />
      {report.photos.length > 0 && (
        <LinkPhotos
          link={ownPhotos(own)}
          photos={report.photos.map(({ id }, index) => ({ id, name: `Photo ${index + 1}` }))}
        />
      )}
      {isChangeable(report, Date.now()) ? (
        <Changeable key={key} own={own} report={report} />
      ) : (
        description !== '' && <p className={page.text}>{description}</p>
      )}
      {report.state !== 'withdrawn' && <Comment own={own} />}
      {report.email !== null && <Emails own={own} email={report.email} />}
    </div>
  )
}

type MapLinkProps = { mapId: string; incident: ReportForReporter['incident'] }

export const MapLink = ({ mapId, incident }: MapLinkProps) => (
  <Link to="/map/$mapId" params={{ mapId }} search={incident ? { select: incident.id } : {}}>
    {incident ? 'Show it on the map' : 'Open the map'}
  </Link>
)

export function stateInWords(report: ReportForReporter): string {
  const { state, incident, duplicateOf, awaitsConfirmation } = report
  switch (state) {
    case 'new':
      if (duplicateOf !== null && incident)
        return `It is about the same problem as ‘${incident.title}’. ${progressInWords(incident)} Staff have not reviewed your text and photos yet.`
      return awaitsConfirmation
        ? 'It appears on the map when you confirm your address with the link in our email, or when staff review it.'
        : 'Staff of the association have not reviewed it yet.'
    case 'accepted':
      if (!incident) return 'It was accepted, and is no longer on the map.'
      return acceptedInWords(incident)
    case 'duplicate':
      return incident
        ? `Joined with incident ‘${incident.title}’, which is about the same problem. ${progressInWords(incident)}`
        : 'Joined with an incident about the same problem, which is no longer on the map.'
    case 'rejected':
    case 'hidden':
      return 'The association did not put it on the map.'
    case 'withdrawn':
      return 'You have withdrawn this report.'
  }
}

function progressInWords({ resolved, workState, reporters }: NonNullable<ReportForReporter['incident']>) {
  const progress = workState === null ? '' : ` (${workStateLabels[workState].toLowerCase()})`
  const people = reportersInWords(reporters).map((words) => `${words}. `)
  return `${people.join('')}${resolved ? 'It is resolved.' : `It is not resolved yet${progress}.`}`
}

function acceptedInWords({ resolved, workState }: { resolved: boolean; workState: WorkState | null }) {
  if (resolved) return 'The problem is resolved.'
  const progress =
    workState === null || workState === 'accepted' ? '' : ` (${workStateLabels[workState].toLowerCase()})`
  return `It was accepted and is on the map${progress}.`
}

/** Shows the report as it is after the change. */
function useChange(own: OwnReport, send: () => Promise<ReportForReporter>, onSent = () => {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess(changed) {
      client.setQueryData(ownReportQuery(own).queryKey, changed)
      onSent()
    },
  })
}

function Comment({ own }: { own: OwnReport }) {
  const [text, setText] = useState('')
  const [id, setId] = useState(newKey)
  const send = useChange(
    own,
    () => commentOnReport(own, { id, text: text.trim() }),
    () => {
      setText('')
      setId(newKey())
    },
  )
  return (
    <Form className={page.content} onSubmit={() => send.mutate()}>
      <NoteField
        label="Comment"
        description="Staff read it, and may make it public."
        minRows={1}
        value={text}
        onChange={setText}
      />
      <p role="status">{send.isSuccess && text === '' && 'Your comment was sent.'}</p>
      {send.error && <p role="alert">{send.error.message}</p>}
      <div className={page.buttons}>
        <Button type="submit" variant="default" loading={send.isPending} disabled={text.trim() === ''}>
          Send comment
        </Button>
      </div>
    </Form>
  )
}

function Emails({ own, email }: { own: OwnReport; email: string }) {
  const end = useChange(own, () => endEmails(own))
  return (
    <div>
      <p>News about this report is sent to {email}.</p>
      {end.error && <p role="alert">{end.error.message}</p>}
      <ConfirmedButton
        loading={end.isPending}
        question="End emails about this report?"
        consequence={`Your address ${email} is erased. You cannot undo this.`}
        go="End emails"
        onGo={end.mutate}
      >
        End emails and erase the address
      </ConfirmedButton>
    </div>
  )
}

function Changeable({ own, report }: { own: OwnReport; report: ReportForReporter }) {
  const [text, setText] = useState(report.description)
  const save = useChange(own, () => changeOwnReport(own, { description: text.trim() }))
  const withdraw = useChange(own, () => withdrawReport(own))
  const failure = save.error ?? withdraw.error
  return (
    <Form className={page.content} onSubmit={() => save.mutate()}>
      <NoteField
        label="Description"
        description="You can change or withdraw the report within an hour, until it is reviewed."
        minRows={2}
        maxLength={maxReportDescription}
        value={text}
        onChange={setText}
      />
      <p role="status">{save.isSuccess && text.trim() === report.description && 'Saved.'}</p>
      {failure && <p role="alert">{failure.message}</p>}
      <div className={page.buttons}>
        <ConfirmedButton
          question="Withdraw this report?"
          consequence="Staff no longer see it. You cannot undo this."
          go="Withdraw"
          onGo={withdraw.mutate}
        >
          Withdraw
        </ConfirmedButton>
        <Button type="submit" loading={save.isPending} disabled={text.trim() === report.description}>
          Save
        </Button>
      </div>
    </Form>
  )
}
