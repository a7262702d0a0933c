import { useLocation, useParams } from '@tanstack/react-router'
import { ConfirmReport } from '#web/reports/confirm-report.tsx'
import { CardPage } from '#web/ui/card-page.tsx'

/** The key is in the fragment, which browsers do not send to servers. */
export function ConfirmReportPage() {
  const { mapId = '', id = '' } = useParams({ strict: false })
  const key = useLocation({ select: ({ hash }) => hash })
  return (
    <CardPage title="Confirm your report">
      <ConfirmReport own={{ mapId, id, key }} />
    </CardPage>
  )
}
