import { useLocation, useParams } from '@tanstack/react-router'
import { ConfirmReport } from '#web/reports/confirm-report.tsx'
import { OwnReportDetails } from '#web/reports/own-report.tsx'
import { OwnSubscriptionsList } from '#web/reports/own-subscriptions.tsx'
import { CardPage } from '#web/ui/card-page.tsx'
import { WorkOrderDetails } from '#web/work/work-order.tsx'

/** The key is in the fragment, which browsers do not send to servers. */
function usePrivateLink() {
  const { mapId = '', id = '' } = useParams({ strict: false })
  const key = useLocation({ select: ({ hash }) => hash })
  return { mapId, id, key }
}

export function OwnReportPage() {
  const own = usePrivateLink()
  return (
    <CardPage title="Your report">
      <OwnReportDetails own={own} />
    </CardPage>
  )
}

export function ConfirmReportPage() {
  const own = usePrivateLink()
  return (
    <CardPage title="Confirm your report">
      <ConfirmReport own={own} />
    </CardPage>
  )
}

export function OwnSubscriptionsPage() {
  const own = usePrivateLink()
  return (
    <CardPage title="Your updates">
      <OwnSubscriptionsList own={own} />
    </CardPage>
  )
}

export function WorkOrderPage() {
  const link = usePrivateLink()
  return (
    <CardPage title="Work order">
      <WorkOrderDetails link={link} />
    </CardPage>
  )
}
