import { Button } from '@mantine/core'
import { IconCheck, IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { reportNumber } from '#domain/reports/report-states.ts'
import { ownReportQuery } from '#web/api/reports.api.ts'
import { FormFooter } from '#web/ui/form-frame.tsx'
import { localDay } from '#web/ui/relative-time.ts'
import { SmallButton } from '#web/ui/small-button.tsx'
import { stateInWords } from './own-report.tsx'
import classes from './report-panel.module.css'
import {
  loadReports,
  type ReportOnDevice,
  removeReport,
  sendAgain,
  useReportsOnDevice,
} from './waiting-reports.ts'

type SentStepProps = { id: string | null; asksToConfirm: boolean; onAgain(): void; onClose(): void }

export function SentStep({ id, asksToConfirm, onAgain, onClose }: SentStepProps) {
  const report = useReportsOnDevice()?.find((one) => one.id === id)
  const headingRef = useRef<HTMLParagraphElement>(null)
  useEffect(() => headingRef.current?.focus(), [])
  return (
    <form className={classes.step} onSubmit={(event) => event.preventDefault()}>
      <p ref={headingRef} tabIndex={-1} role="status">
        {report ? <StateOnDevice report={report} /> : null}
        {asksToConfirm &&
          report?.report.email &&
          report.report.sameAs === null &&
          ` To put it on the map, open the link in the email to ${report.report.email} and confirm your address.`}
      </p>
      {report?.problem && <AfterProblem report={report} />}
      {report && report.number !== null && (
        <p>
          <FollowLink report={report}>Follow your report</FollowLink> to see what happens, or to change it
          within an hour.
        </p>
      )}
      <FormFooter>
        <Button variant="default" onClick={onAgain}>
          Report another problem nearby
        </Button>
        <Button onClick={onClose}>Done</Button>
      </FormFooter>
    </form>
  )
}

export function ReportsOnDevice({ mapId }: { mapId: string }) {
  useEffect(() => void loadReports(), [])
  const reports = useReportsOnDevice()?.filter((report) => report.mapId === mapId) ?? []
  if (reports.length === 0) return null
  return (
    <section className={classes.own}>
      <h3>Your reports</h3>
      <ul>
        {reports.map((report) => (
          <li key={report.id}>
            {report.number === null ? report.title : <FollowLink report={report}>{report.title}</FollowLink>}
            <p className={classes.dimmed}>
              <CurrentState report={report} /> Made {localDay(new Date(report.madeAt).toISOString())}.
            </p>
            {report.problem !== null && <AfterProblem report={report} />}
          </li>
        ))}
      </ul>
      <p className={classes.dimmed}>This list is stored in this browser only.</p>
    </section>
  )
}

/** A report that was not accepted stays until the reporter removes it. */
const AfterProblem = ({ report: { id, title } }: { report: ReportOnDevice }) => (
  <div className={classes.again}>
    <SmallButton subject={`‘${title}’`} onClick={() => void sendAgain(id)}>
      Send again
    </SmallButton>
    <SmallButton subject={`‘${title}’`} onClick={() => void removeReport(id)}>
      Remove
    </SmallButton>
  </div>
)

function FollowLink({ report, children }: { report: ReportOnDevice; children: ReactNode }) {
  const { mapId, id, key } = report
  return (
    <Link to="/report/$mapId/$id" params={{ mapId, id }} hash={key} className={classes.link}>
      {children}
    </Link>
  )
}

/** That on the server if it can be reached. */
function CurrentState({ report }: { report: ReportOnDevice }) {
  const isSent = report.number !== null && report.problem === null && report.photos.length === 0
  const { data } = useQuery({ ...ownReportQuery(report), enabled: isSent, retry: false })
  if (!data) return <StateOnDevice report={report} />
  return (
    <>
      {reportNumber(data.number)}: {stateInWords(data)}
    </>
  )
}

function StateOnDevice({ report }: { report: ReportOnDevice }) {
  if (report.problem !== null) return <>The report was not accepted: {report.problem}</>
  if (report.number === null)
    return (
      <>
        <IconClock size={16} aria-hidden="true" />{' '}
        {report.isOnlyInPage
          ? 'This browser cannot store it: keep this page open.'
          : 'Stored on this device.'}{' '}
        {report.pause
          ? `${report.pause} It is sent automatically while this page is open, or the next time that you open it.`
          : 'It is sent as soon as there is a connection.'}
      </>
    )
  return (
    <>
      <IconCheck size={16} aria-hidden="true" /> Report {reportNumber(report.number)} was sent
      {report.photos.length > 0 && '. Its photo follows'}.
    </>
  )
}
