import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { incidentTypeLabels, severityLabels } from '#domain/incidents/incident-types.ts'
import type { Report } from '#domain/reports/report.schema.ts'
import { reportersInWords, reportNumber, reportStateLabels } from '#domain/reports/report-states.ts'
import { exactTime, relativeTime } from '#web/ui/relative-time.ts'
import { Note } from '#web/work/note.tsx'
import { ReportPhotos } from './report-photos.tsx'
import classes from './triage-panel.module.css'

type ReportDetailsProps = {
  mapId: string
  report: Report
  /** Whether a mail server is set up. */
  sendsMail: boolean
  children: ReactNode
}

/** What staff see of a report. */
export function ReportDetails({ mapId, report, sendsMail, children }: ReportDetailsProps) {
  const { title, description, type, severity, photos, madeAt, email, accuracyMeters } = report
  return (
    <article className={classes.details} aria-label={title}>
      <h2>{title}</h2>
      <p className={classes.meta}>
        {reportNumber(report.number)} · {reportStateLabels[report.state]} · {incidentTypeLabels[type]} ·{' '}
        {severity === null ? 'severity unknown' : `${severityLabels[severity]} severity`} ·{' '}
        <time dateTime={madeAt} title={exactTime(madeAt)}>
          {relativeTime(madeAt)}
        </time>
      </p>
      <p className={classes.text}>{description || 'No description.'}</p>
      {report.originalDescription !== null && (
        <p className={classes.meta}>
          The reporter wrote: {report.originalDescription || 'nothing'} (staff only)
        </p>
      )}
      {photos.length > 0 && (
        <ReportPhotos mapId={mapId} featureId={photos[0]?.featureId ?? report.id} photos={photos} />
      )}
      {report.comments.length > 0 && (
        <section aria-label="Comments of the reporter">
          {report.comments.map((note) => (
            <Note key={note.id} note={note} />
          ))}
        </section>
      )}
      <p className={classes.meta}>
        {email ? (
          <>
            Reporter: <a href={`mailto:${email}`}>{email}</a> (staff only
            {report.awaitsConfirmation && ', not confirmed yet'})
          </>
        ) : (
          'The reporter left no email address.'
        )}
        {accuracyMeters !== null && ` Location accurate to ${Math.round(accuracyMeters)} m.`}
      </p>
      {email && !sendsMail && (
        <p className={classes.meta}>
          Emails to the reporter wait: this server has no mail server (the setting SMTP_URL).
        </p>
      )}
      {report.state === 'accepted' && (
        <p>
          <IncidentLink mapId={mapId} id={report.id}>
            Open the incident
          </IncidentLink>
        </p>
      )}
      {report.state === 'duplicate' && (
        <p>
          Merged into{' '}
          {report.duplicateTitle === null ? (
            'an incident that is no longer on the map'
          ) : (
            <IncidentLink mapId={mapId} id={report.duplicateOf}>
              {report.duplicateTitle}
            </IncidentLink>
          )}
        </p>
      )}
      {reportersInWords(report.reporters).map((words) => (
        <p key={words}>{words}.</p>
      ))}
      {report.mailProblem !== null && (
        <p className={classes.meta}>The last email to the reporter was not delivered: {report.mailProblem}</p>
      )}
      {report.publicNote !== '' && <p>Note to the reporter: {report.publicNote}</p>}
      {children}
    </article>
  )
}

type IncidentLinkProps = { mapId: string; id: string | null; children: ReactNode }

const IncidentLink = ({ mapId, id, children }: IncidentLinkProps) => (
  <Link
    to="/config/map/$mapId/$section"
    params={{ mapId, section: 'features' }}
    search={{ kind: 'incident', ...(id === null ? {} : { select: id }) }}
  >
    {children}
  </Link>
)
