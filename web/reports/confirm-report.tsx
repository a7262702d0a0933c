import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { reportNumber } from '#domain/reports/report-states.ts'
import { RequestError } from '#web/api/http.ts'
import { confirmReport, type OwnReport } from '#web/api/reports.api.ts'
import page from '#web/ui/private-page.module.css'
import classes from './own-report.module.css'
import { MapLink, stateInWords } from './own-report.tsx'

/** Programs that open links in emails do not press the button. */
export function ConfirmReport({ own }: { own: OwnReport }) {
  const confirm = useMutation({ mutationFn: () => confirmReport(own) })
  const { data: report, error } = confirm
  if (report)
    return (
      <div className={page.content}>
        <p className={classes.state} role="status">
          Thank you. Your email address is confirmed.
        </p>
        <p>
          <b>{reportNumber(report.number)}</b> {report.title}: {stateInWords(report)}
        </p>
        <MapLink mapId={own.mapId} incident={report.incident} />
      </div>
    )
  const isUnknown = error instanceof RequestError && [400, 404].includes(error.status)
  return (
    <div className={page.content}>
      <p>Confirm that this is your email address. Your report then appears on the public map.</p>
      {error && (
        <p role="alert">
          {isUnknown
            ? 'There is no report at this link. Check that the link is complete. It ends when the address is changed or erased.'
            : error.message}
        </p>
      )}
      <div className={page.buttons}>
        <Button loading={confirm.isPending} onClick={() => confirm.mutate()}>
          Confirm address
        </Button>
      </div>
    </div>
  )
}
