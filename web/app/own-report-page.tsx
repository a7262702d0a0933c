import { useLocation, useParams } from '@tanstack/react-router'
import { OwnReportDetails } from '#web/reports/own-report.tsx'
import { CardPage } from '#web/ui/card-page.tsx'

/** The key is in the fragment, which browsers do not send to servers. */
export function OwnReportPage() {
  const { mapId = '', id = '' } = useParams({ strict: false })
  const key = useLocation({ select: ({ hash }) => hash })
  return (
    <CardPage title="Your report">
      <OwnReportDetails own={{ mapId, id, key }} />
    </CardPage>
  )
}
